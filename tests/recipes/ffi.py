"""ffi.py: md2.h from Python, through ctypes. A binding for another language looks much the same. In the folder of md2.h,
after `make knight`, these lines build the library and run this program:

    printf '#define MD2_IMPLEMENTATION\n#include "md2.h"\n' >md2.c
    cc -O2 -shared -fPIC -I. md2.c -o libmd2.so -lm
    python3 tests/recipes/ffi.py

What a binding needs to know:
* md2_library_version() and md5_library_version() return the version of the compiled library: 10203 is 1.2.3. Compare
  it with the version of the header that your structs are from.
* md2_pose and md5_xform are plain structs. Some functions take or return md2_pose by value.
* An animation is identified by its address. Do not copy an md5_anim, and keep it alive while a player uses it.
* A player is memory that you own, all zero at first. On Windows, add -DMD2_API=__declspec(dllexport).
Public domain."""
import ctypes as c


class Model(c.Structure):               # the first fields of md2_model
    _fields_ = [(name, c.c_uint32) for name in ('skin_width', 'skin_height', 'skin_count', 'point_count', 'vertex_count',
                                                'index_count', 'frame_count', 'anim_count')]


class Pose(c.Structure):                # md2_pose: up to eight frames with weights
    _fields_ = [('count', c.c_uint32), ('frame', c.c_uint16 * 8), ('weight', c.c_float * 8)]


class Error(c.Structure):               # md2_error
    _fields_ = [('offset', c.c_size_t), ('code', c.c_int), ('message', c.c_char * 240)]


lib = c.CDLL('./libmd2.so')
lib.md2_load_file.restype = c.POINTER(Model)
lib.md2_find_anim.restype = c.c_void_p
lib.md2_player_pose.restype = Pose
lib.md2_play.argtypes = c.c_void_p, c.c_void_p, c.c_int, c.c_float
lib.md2_advance.argtypes = c.c_void_p, c.c_float
lib.md2_crossed.argtypes = c.c_void_p, c.c_void_p, c.c_uint32

error = Error()
knight = lib.md2_load_file(b'knight/tris.md2', None, c.byref(error))
if not knight:
    raise SystemExit(error.message.decode())
run = lib.md2_find_anim(knight, b'run')
player = c.create_string_buffer(1024)   # at least sizeof(md2_player), all zero
positions = (c.c_float * (3 * knight.contents.vertex_count))()
lib.md2_play(player, run, 0, 0.2)       # 0: MD2_LOOP

footsteps = 0
for i in range(60):                     # one second of the game
    lib.md2_advance(player, 1 / 60)
    pose = lib.md2_player_pose(player)
    lib.md2_pose_vertices(knight, c.byref(pose), positions, c.c_size_t(0), None, c.c_size_t(0))
    footsteps += lib.md2_crossed(player, run, 0) + lib.md2_crossed(player, run, 3)
print(f'version {lib.md2_library_version()}: {footsteps} footsteps; the highest vertex is at {max(positions[2::3]):.1f}')
lib.md2_free_model(knight)
