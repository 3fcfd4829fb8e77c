"""twins.py --write | --check BLOCKS LINES
md2.h and md5.h share code. It is written once, in md2.h, between two marks
  /* [twin: name] ... */
  /* [/twin: name] */
and copied into md5.h, between the same marks, with the prefix md2 replaced by md5. --write makes the copies. --check
fails if a copy differs, or if there are fewer blocks or lines than given. Both fail if a mark has no partner. Run this in
the root of the repository. Public domain."""
import difflib
import re
import sys

BLOCK = re.compile(r'(/\* \[twin: ([a-z0-9 ]+)\][^\n]*\n)(.*?)(?=/\* \[/twin: \2\])', re.S)
failures = []


def read(path):
    """Returns the text of a header, and its blocks by name."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    blocks = {name: lines for _, name, lines in BLOCK.findall(text)}
    if len(re.findall(r'\[/?twin', text)) != 2 * len(blocks) or any('[twin' in lines for lines in blocks.values()):
        failures.append(f'{path}: a mark has no partner, or a name occurs twice')
    return text, blocks


def main(mode, least_blocks=0, least_lines=0):
    (_, blocks), (old, copies) = read('md2.h'), read('md5.h')
    if blocks.keys() != copies.keys():
        failures.append(f'blocks that only one of the headers has: {blocks.keys() ^ copies.keys()}')
    for name, lines in blocks.items():
        blocks[name] = re.sub('(?mi)^(?!.*md5).*md2.*$', lambda x: x[0].replace('md2', 'md5').replace('MD2', 'MD5'), lines)
    new = BLOCK.sub(lambda block: block[1] + blocks.get(block[2], block[3]), old)
    if new != old and mode == '--write' and not failures:
        with open('md5.h', 'w', encoding='utf-8') as file:
            file.write(new)
    elif new != old:
        print(*difflib.unified_diff(old.split('\n'), new.split('\n'), 'md5.h', 'expected', lineterm=''), sep='\n')
        failures.append('md5.h differs from md2.h: edit md2.h, then run "make twins"')
    count = sum(lines.count('\n') for lines in blocks.values())
    print(f'twins: {len(blocks)} blocks of {count} lines (at least {least_blocks} and {least_lines})')
    if len(blocks) < int(least_blocks) or count < int(least_lines):
        failures.append('fewer blocks or lines than expected')
    print(*('twins: ' + failure for failure in failures), sep='\n', end='\n' if failures else '')
    print(f'{0 if failures else len(blocks)} passed, {len(failures)} failed')
    sys.exit(len(failures) > 0)


main(*sys.argv[1:])
