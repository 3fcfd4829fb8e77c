"""seeds.py pack FOLDER PACK | unpack PACK FOLDER: packs the first inputs of a fuzzer into one file. For each input, the
file has the size in two bytes, then the bytes. Public domain."""
import os
import sys


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def pack(folder, path):
    inputs = [read(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    with open(path, 'wb') as out:
        for data in inputs:
            if len(data) < 65536:
                out.write(len(data).to_bytes(2, 'little') + data)
    print('%s: %d files, %d bytes' % (path, len(inputs), os.path.getsize(path)))


def unpack(path, folder):
    data, at, number = read(path), 0, 0
    while at < len(data):
        end = at + 2 + int.from_bytes(data[at:at + 2], 'little')
        if end > len(data):
            sys.exit(path + ' is cut off')
        with open('%s/kept-%d' % (folder, number), 'wb') as out:
            out.write(data[at + 2:end])
        at, number = end, number + 1


{'pack': pack, 'unpack': unpack}[sys.argv[1]](*sys.argv[2:])
