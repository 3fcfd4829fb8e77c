"""publish.py URL PAGE_URL: writes the addresses of the repository and of the web page to the pages, once they exist: a
badge and a link under the title of README.md, the cookbook's recipe for CMake, and the link in SECURITY.md. Each part
is between two comments, <!-- publish: NAME --> and <!-- /publish -->, which have nothing between them before the first
run. Another run replaces the parts. Run this in the root of the repository. Public domain."""
import re
import sys

PARTS = {
    ('README.md', 'links'): '''
[**Try it in your browser**]({page}): drop your own models on the page.
[![tests]({url}/actions/workflows/test.yml/badge.svg)]({url}/actions/workflows/test.yml)
''',
    ('tests/recipes/README.md', 'CMake'): '''
## Fetched by CMake

CMake fetches `md2.h`; `md2.c` is your file, [as in the README](../../README.md#install). In a DLL, define
`MD2_API` as `__declspec(dllexport)`.

```cmake
include(FetchContent)
FetchContent_Declare(md GIT_REPOSITORY {url}
                     GIT_TAG v{version} GIT_SHALLOW TRUE SOURCE_DIR ${{CMAKE_BINARY_DIR}}/fetched/md)
FetchContent_MakeAvailable(md)
target_sources(game PRIVATE third_party/md/md2.c)
target_include_directories(game PRIVATE ${{CMAKE_BINARY_DIR}}/fetched)
set_source_files_properties(third_party/md/md2.c PROPERTIES COMPILE_OPTIONS -O2)
```
''',
    ('.github/SECURITY.md', 'report'): '''
[Report a vulnerability]({url}/security/advisories/new)
''',
}


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


def publish(url, page):
    version = re.search(r'^/\* md2\.h - (\S+) -', read('md2.h'))[1]
    for (path, name), part in PARTS.items():
        begin, end = f'<!-- publish: {name} -->\n', '<!-- /publish -->\n'
        before, found, rest = read(path).partition(begin)
        if not found or end not in rest:
            sys.exit(f'publish: {path} has no {begin.strip()} ... {end.strip()}')
        text = before + begin + part.format(url=url, page=page, version=version) + end + rest.partition(end)[2]
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        print(f'publish: {path} has its {name}')


if len(sys.argv) != 3:
    sys.exit(__doc__)
publish(sys.argv[1].rstrip('/'), sys.argv[2])
