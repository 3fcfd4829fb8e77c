/* The malformed models of model_builder_md5.h. Public domain. */
#include "model_builder_md5.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Malformed and odd ones ------------------------------------------------ */

#define M5_ALPHA_MESH                                                                              \
    "commandline \"\"\n\nnumbones 1\n\nbone 0 {\n\tname \"origin\"\n\tbindpos 0 0 0\n\tbindmat 1 " \
    "0 0 0 1 0 0 0 1\n}\n\n"                                                                       \
    "nummeshes 1\n\nmesh 0 {\n\tshader \"a\"\n\tnumverts 1\n\tvert 0 0 0 0 1\n\tnumtris "          \
    "0\n\tnumweights 1\n\tweight 0 0 1 0 0 0\n}\n"
#define M5_ALPHA_ANIM                                                                    \
    "commandline \"\"\n\nnumchannels 1\n\nchannel 0 {\n\tjoint \"origin\"\n\tattribute " \
    "\"x\"\n\tstarttime 0\n\tendtime 1\n"                                                \
    "\tframerate 24\n\tstrings 0\n\trange 0 1\n\tkeys 1\n\t0.5\n}\n"
#define M5_CAMERA                                                                      \
    "MD5Version 10\ncommandline \"\"\n\nnumFrames 1\nframeRate 24\nnumCuts 1\n\ncuts " \
    "{\n8\n}\n\ncamera {\n( 0 0 0 ) ( 0 0 0 ) 45\n}\n"

const m5_flaw m5_flaws[M5_FLAWS] = {
    /* Not MD5 at all, or another version of it */
    { "empty", M5_MESH, M5_WHOLE, "", "", "NOT_MD5" },
    { "blank", M5_MESH, M5_WHOLE, "", " \r\n\t\n  ", "NOT_MD5" },
    { "only_a_comment", M5_MESH, M5_WHOLE, "", "// MD5Version 10", "NOT_MD5" },
    { "only_a_bom", M5_MESH, M5_WHOLE, "", "\xEF\xBB\xBF", "NOT_MD5" },
    { "stl", M5_MESH, M5_WHOLE, "", "solid cube\nfacet normal 0 0 1\n", "NOT_MD5" },
    { "hash", M5_ANIM, M5_WHOLE, "", "d41d8cd98f00b204e9800998ecf8427e  arm.md5mesh\n", "NOT_MD5" },
    { "md2", M5_MESH, M5_WHOLE, "", "IDP2\x08", "NOT_MD5" },
    { "utf16", M5_MESH, M5_WHOLE, "", "\xFF\xFEM", "NOT_MD5" },
    { "no_version", M5_MESH, M5_LINE, "MD5Version", "", "NOT_MD5" },
    { "longer_word", M5_MESH, M5_LINE, "MD5Version", "MD5Versions 10", "NOT_MD5" },
    { "version_cut", M5_MESH, M5_WHOLE, "", "MD5Version", "SYNTAX VERSION" },
    { "version_word", M5_MESH, M5_LINE, "MD5Version", "MD5Version ten", "SYNTAX VERSION" },
    { "version_6", M5_MESH, M5_LINE, "MD5Version", "MD5Version 6", "VERSION" },
    { "version_9", M5_MESH, M5_LINE, "MD5Version", "MD5Version 9", "VERSION" },
    { "version_13", M5_ANIM, M5_LINE, "MD5Version", "MD5Version 13", "VERSION" },
    { "version_678", M5_MESH, M5_LINE, "MD5Version", "MD5Version 678", "VERSION" },
    { "version_minus", M5_MESH, M5_LINE, "MD5Version", "MD5Version -10", "SYNTAX VERSION" },
    { "alpha", M5_MESH, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_MESH, "VERSION" },
    { "alpha_says_10", M5_MESH, M5_WHOLE, "", "MD5Version 10\n" M5_ALPHA_MESH, "VERSION" },
    { "alpha_anim", M5_ANIM, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_ANIM, "VERSION" },
    { "alpha_anim_says_10", M5_ANIM, M5_WHOLE, "", "MD5Version 10\n" M5_ALPHA_ANIM, "VERSION" },
    { "camera", M5_MESH, M5_WHOLE, "", M5_CAMERA, "SYNTAX CORRUPT" },
    { "camera_as_anim", M5_ANIM, M5_WHOLE, "", M5_CAMERA, "SYNTAX CORRUPT" },
    { "only_version", M5_MESH, M5_WHOLE, "", "MD5Version 10\n", "SYNTAX CORRUPT" },
    { "only_version_anim", M5_ANIM, M5_WHOLE, "", "MD5Version 10\n", "SYNTAX CORRUPT" },

    /* Counts of a mesh */
    { "joints_33s", M5_MESH, M5_LINE, "numJoints", "numJoints 33s", "SYNTAX" },
    { "joints_float", M5_MESH, M5_LINE, "numJoints", "numJoints 6.5", "SYNTAX" },
    { "joints_missing_number", M5_MESH, M5_LINE, "numJoints", "numJoints", "SYNTAX" },
    { "joints_minus", M5_MESH, M5_LINE, "numJoints", "numJoints -6", "SYNTAX CORRUPT" },
    { "joints_none", M5_MESH, M5_LINE, "numJoints", "numJoints 0", "SYNTAX CORRUPT" },
    { "joints_one_less", M5_MESH, M5_LINE, "numJoints", "numJoints 5", "SYNTAX CORRUPT" },
    { "joints_one_more", M5_MESH, M5_LINE, "numJoints", "numJoints 7", "SYNTAX CORRUPT" },
    { "joints_2e9", M5_MESH, M5_LINE, "numJoints", "numJoints 2000000000", "SYNTAX CORRUPT LIMIT" },
    { "joints_2_to_32", M5_MESH, M5_LINE, "numJoints", "numJoints 4294967302",
      "SYNTAX CORRUPT LIMIT" },
    { "joints_2_to_64", M5_MESH, M5_LINE, "numJoints", "numJoints 18446744073709551622",
      "SYNTAX CORRUPT LIMIT" },
    { "joints_long_number", M5_MESH, M5_LINE, "numJoints",
      "numJoints 600000000000000000000000000000000000000000", "SYNTAX CORRUPT LIMIT" },
    { "joints_uncounted", M5_MESH, M5_LINE, "numJoints", "", "?" },
    { "meshes_one_listed_three", M5_MESH, M5_LINE, "numMeshes", "numMeshes 1", "" },
    { "meshes_five_listed_three", M5_MESH, M5_LINE, "numMeshes", "numMeshes 5", "" },
    { "meshes_minus", M5_MESH, M5_LINE, "numMeshes", "numMeshes -1", "SYNTAX CORRUPT" },
    { "meshes_2e9", M5_MESH, M5_LINE, "numMeshes", "numMeshes 2000000000", "?" },
    { "meshes_none", M5_MESH, M5_LINE, "numMeshes", "numMeshes 0", "?" },
    { "verts_2e9", M5_MESH, M5_LINE, "numverts", "numverts 2000000000", "SYNTAX CORRUPT LIMIT" },
    { "verts_minus", M5_MESH, M5_LINE, "numverts", "numverts -55", "SYNTAX CORRUPT" },
    { "verts_one_more", M5_MESH, M5_LINE, "numverts", "numverts 56", "SYNTAX CORRUPT" },
    { "verts_one_less", M5_MESH, M5_LINE, "numverts", "numverts 54", "SYNTAX CORRUPT" },
    { "verts_word", M5_MESH, M5_LINE, "numverts", "numverts many", "SYNTAX" },
    { "verts_twice", M5_MESH, M5_LINE, "numtris",
      "numverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 0 0 ) 0 1\nnumtris 80", "?" },
    { "tris_2e9", M5_MESH, M5_LINE, "numtris", "numtris 2000000000", "SYNTAX CORRUPT LIMIT" },
    { "tris_minus", M5_MESH, M5_LINE, "numtris", "numtris -1", "SYNTAX CORRUPT" },
    { "tris_one_more", M5_MESH, M5_LINE, "numtris", "numtris 81", "SYNTAX CORRUPT" },
    { "tris_one_less", M5_MESH, M5_LINE, "numtris", "numtris 79", "?" },
    { "weights_2e9", M5_MESH, M5_LINE, "numweights", "numweights 2000000000",
      "SYNTAX CORRUPT LIMIT" },
    { "weights_one_more", M5_MESH, M5_LINE, "numweights", "numweights 116", "SYNTAX CORRUPT" },
    { "weights_too_few", M5_MESH, M5_LINE, "numweights", "numweights 99", "SYNTAX CORRUPT" },
    { "weights_uncounted", M5_MESH, M5_LINE, "numweights", "", "?" },
    { "no_joints", M5_MESH, M5_LINE, "joints", "bones {", "SYNTAX CORRUPT VERSION" },
    { "no_mesh", M5_MESH, M5_CUT, "mesh", "", "?" },

    /* Joints */
    { "parent_itself", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 2 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT" },
    { "parent_later", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 3 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT" },
    { "parent_1000", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 1000 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT" },
    { "parent_minus_2", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" -2 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT" },
    { "parent_2_to_32", M5_MESH, M5_LINE, "\"lower.L\"",
      "\"lower.L\" 4294967296 ( 0 0 0 ) ( 0 0 0 )", "CORRUPT SYNTAX" },
    { "root_its_own_parent", M5_MESH, M5_LINE, "\"origin\"", "\"origin\" 0 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT" },
    { "parent_word", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" one ( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX" },
    { "joint_without_parenthesis", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 0 0 0 ) ( 0 0 0 )",
      "SYNTAX" },
    { "joint_two_numbers", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 ) ( 0 0 0 )", "SYNTAX" },
    { "joint_four_numbers", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 0 0 0 1 )",
      "SYNTAX" },
    { "name_unended", M5_MESH, M5_LINE, "\"hand\"", "\"hand 2 ( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "name_unended_to_the_end", M5_MESH, M5_WHOLE, "", "MD5Version 10\ncommandline \"mesh",
      "SYNTAX" },
    { "joint_ind", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 1.#IND 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "joint_nan", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 nan 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "joint_inf", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 -inf ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "joint_overflow", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 0 1e39 0 )",
      "SYNTAX CORRUPT" },
    { "joint_huge_rotation", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 1e30 -1e30 0 )",
      "?" },
    { "joint_huge_position", M5_MESH, M5_LINE, "\"hand\"",
      "\"hand\" 2 ( 3e38 3e38 3e38 ) ( 0 0.5 0 )", "?" },
    { "joint_comma", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 1,5 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },

    /* Vertices, triangles, weights */
    { "vert_first_out", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 4000000 2", "CORRUPT" },
    { "vert_last_out", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 114 2", "CORRUPT" },
    { "vert_just_in", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 113 2", "" },
    { "vert_first_minus", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) -1 2", "CORRUPT SYNTAX" },
    { "vert_wraps", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 4294967295 2", "CORRUPT SYNTAX" },
    { "vert_no_weight", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 0", "CORRUPT" },
    { "vert_minus_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 -1", "CORRUPT SYNTAX" },
    { "vert_64_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 64", "" },
    { "vert_65_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 65", "CORRUPT LIMIT" },
    { "vert_number_out", M5_MESH, M5_LINE, "vert 3 ", "vert 55 ( 0 0 ) 3 1", "CORRUPT SYNTAX" },
    { "vert_number_minus", M5_MESH, M5_LINE, "vert 3 ", "vert -1 ( 0 0 ) 3 1", "CORRUPT SYNTAX" },
    { "vert_number_huge", M5_MESH, M5_LINE, "vert 3 ", "vert 4294967295 ( 0 0 ) 3 1",
      "CORRUPT SYNTAX" },
    { "vert_number_twice", M5_MESH, M5_LINE, "vert 3 ", "vert 2 ( 0 0 ) 3 1", "?" },
    { "vert_nan", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( nan 0 ) 3 1", "CORRUPT SYNTAX" },
    { "vert_huge_uv", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 3e38 -3e38 ) 3 1", "?" },
    { "vert_one_uv", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 ) 3 1", "SYNTAX" },
    { "vert_misspelt", M5_MESH, M5_LINE, "vert 3 ", "vrt 3 ( 0 0 ) 3 1", "SYNTAX CORRUPT" },
    { "tri_vertex_out", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 1 55", "CORRUPT" },
    { "tri_vertex_minus", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 -1 5", "CORRUPT SYNTAX" },
    { "tri_vertex_huge", M5_MESH, M5_LINE, "tri 4 ", "tri 4 4294967295 1 5", "CORRUPT SYNTAX" },
    { "tri_number_out", M5_MESH, M5_LINE, "tri 4 ", "tri 4294967295 0 1 5", "CORRUPT SYNTAX" },
    { "tri_two_vertices", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 1", "SYNTAX" },
    { "weight_joint_out", M5_MESH, M5_LINE, "weight 7 ", "weight 7 6 1 ( 0 0 0 )", "CORRUPT" },
    { "weight_joint_minus", M5_MESH, M5_LINE, "weight 7 ", "weight 7 -1 1 ( 0 0 0 )",
      "CORRUPT SYNTAX" },
    { "weight_joint_huge", M5_MESH, M5_LINE, "weight 7 ", "weight 7 4294967296 1 ( 0 0 0 )",
      "CORRUPT SYNTAX" },
    { "weight_number_out", M5_MESH, M5_LINE, "weight 7 ", "weight 4294967295 0 1 ( 0 0 0 )",
      "CORRUPT SYNTAX" },
    { "weight241", M5_MESH, M5_LINE, "weight 7 ", "weight7 0 1 ( 0 0 0 )", "SYNTAX CORRUPT" },
    { "weight_bias_nan", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 nan ( 0 0 0 )",
      "CORRUPT SYNTAX" },
    { "weight_overflow", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 1 ( 0 0 4e38 )",
      "CORRUPT SYNTAX" },
    { "weight_huge", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 3e38 ( 3e38 0 0 )", "?" },
    { "weight_bias_minus", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 -0.5 ( 0 0 0 )", "" },
    { "mesh_unended", M5_MESH, M5_CUT, "weight 7 ", "", "SYNTAX CORRUPT" },
    { "mesh_stray_brace", M5_MESH, M5_LINE, "numtris", "}\nnumtris 80", "SYNTAX CORRUPT" },
    { "junk_behind", M5_MESH, M5_TAIL, "", "\n}}} ) junk \" \x01\x02 mesh {", "" },

    /* Counts of an animation */
    { "frames_none", M5_ANIM, M5_LINE, "numFrames", "numFrames 0", "CORRUPT SYNTAX" },
    { "frames_minus", M5_ANIM, M5_LINE, "numFrames", "numFrames -13", "CORRUPT SYNTAX" },
    { "frames_one_more", M5_ANIM, M5_LINE, "numFrames", "numFrames 14", "CORRUPT SYNTAX" },
    { "frames_one_less", M5_ANIM, M5_LINE, "numFrames", "numFrames 12", "" },
    { "frames_65537", M5_ANIM, M5_LINE, "numFrames", "numFrames 65537", "LIMIT CORRUPT" },
    { "frames_2e9", M5_ANIM, M5_LINE, "numFrames", "numFrames 2000000000", "LIMIT CORRUPT" },
    { "frames_2_to_32", M5_ANIM, M5_LINE, "numFrames", "numFrames 4294967309",
      "LIMIT CORRUPT SYNTAX" },
    { "anim_joints_one_more", M5_ANIM, M5_LINE, "numJoints", "numJoints 7", "CORRUPT SYNTAX" },
    { "anim_joints_one_less", M5_ANIM, M5_LINE, "numJoints", "numJoints 5", "CORRUPT SYNTAX" },
    { "anim_joints_2e9", M5_ANIM, M5_LINE, "numJoints", "numJoints 2000000000",
      "LIMIT CORRUPT SYNTAX" },
    { "rate_zero", M5_ANIM, M5_LINE, "frameRate", "frameRate 0", "" },
    { "rate_minus", M5_ANIM, M5_LINE, "frameRate", "frameRate -24", "" },
    { "rate_float", M5_ANIM, M5_LINE, "frameRate", "frameRate 29.97", "" },
    { "rate_word", M5_ANIM, M5_LINE, "frameRate", "frameRate fast", "SYNTAX CORRUPT" },
    { "rate_nan", M5_ANIM, M5_LINE, "frameRate", "frameRate nan", "SYNTAX CORRUPT" },
    { "rate_tiny", M5_ANIM, M5_LINE, "frameRate", "frameRate 1e-44", "?" },
    { "components_minus", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents -1",
      "CORRUPT SYNTAX" },
    { "components_one_less", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 13",
      "CORRUPT SYNTAX" },
    { "components_one_more", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 15",
      "CORRUPT SYNTAX" },
    { "components_2e9", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 2000000000",
      "LIMIT CORRUPT SYNTAX" },
    { "components_none", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 0", "CORRUPT SYNTAX" },

    /* Hierarchy, baseframe, frames */
    { "flags_64", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 64 5", "CORRUPT" },
    { "flags_minus", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 -1 5", "CORRUPT SYNTAX" },
    { "start_minus", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 -1", "CORRUPT SYNTAX" },
    { "start_out", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 4000", "CORRUPT" },
    { "start_just_out", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 9", "CORRUPT" },
    { "start_just_in", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 8", "" },
    { "start_wraps", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 4294967295", "CORRUPT SYNTAX" },
    { "start_meaningless", M5_ANIM, M5_LINE, "\"thumb\"", "\"thumb\" 3 0 4000", "" },
    { "start_meaningless_minus", M5_ANIM, M5_LINE, "\"thumb\"", "\"thumb\" 3 0 -1", "" },
    { "anim_parent_itself", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 3 63 5", "CORRUPT" },
    { "anim_parent_later", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 5 63 5", "CORRUPT" },
    { "anim_parent_minus_2", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" -2 63 5", "CORRUPT" },
    { "anim_parent_1000", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 1000 63 5", "CORRUPT" },
    { "baseframe_one_more", M5_ANIM, M5_LINE, "baseframe", "baseframe {\n( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "baseframe_uncounted", M5_ANIM, M5_LINE, "baseframe", "baseframes {", "SYNTAX CORRUPT" },
    { "baseframe_nan", M5_ANIM, M5_LINE, "baseframe", "baseframe {\n( nan 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "bounds_more", M5_ANIM, M5_LINE, "bounds",
      "bounds {\n( 0 0 0 ) ( 1 1 1 )\n( -1 -1 -1 ) ( 2 2 2 )", "" },
    { "bounds_swapped", M5_ANIM, M5_LINE, "bounds", "bounds {\n( 1 1 1 ) ( 0 0 0 )", "" },
    { "bounds_gone", M5_ANIM, M5_LINE, "bounds", "boundless {", "?" },
    { "bounds_inf", M5_ANIM, M5_LINE, "bounds", "bounds {\n( inf 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT" },
    { "frame_twice", M5_ANIM, M5_LINE, "frame 3 ", "frame 2 {", "CORRUPT SYNTAX" },
    { "frame_far_away", M5_ANIM, M5_LINE, "frame 3 ", "frame 300 {", "?" },
    { "frame_minus", M5_ANIM, M5_LINE, "frame 3 ", "frame -3 {", "?" },
    { "frame_2_to_32", M5_ANIM, M5_LINE, "frame 3 ", "frame 4294967299 {", "CORRUPT SYNTAX" },
    { "frame_word", M5_ANIM, M5_LINE, "frame 3 ", "frame three {", "SYNTAX CORRUPT" },
    { "frame_one_number_more", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n0.5", "SYNTAX CORRUPT" },
    { "frame_numbers_gone", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n}\nframe 13 {",
      "SYNTAX CORRUPT" },
    { "frame_ind", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n-1.#IND00", "SYNTAX CORRUPT" },
    { "frame_overflow", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n1e400", "SYNTAX CORRUPT" },
    { "frames_cut", M5_ANIM, M5_CUT, "frame 12 ", "", "SYNTAX CORRUPT" },
    { "frames_renumbered_one_more", M5_ANIM, M5_LINE, "frame 12 ", "frame 13 {", "?" },
    { "hierarchy_gone", M5_ANIM, M5_LINE, "hierarchy", "hierarchies {", "SYNTAX CORRUPT" },
    { "mesh_as_anim", M5_ANIM, M5_WHOLE, "", NULL, "SYNTAX CORRUPT" },
    { "anim_as_mesh", M5_MESH, M5_WHOLE, "", NULL, "SYNTAX CORRUPT" },
    { "anim_junk_behind", M5_ANIM, M5_TAIL, "", "\n11 5.09 } frame 0 { 1 }\n\x01\xFF\"", "" }
};

/* Where the first line that begins with `key` (blanks before it aside) starts; the end when there
   is none. */
static size_t m5_find_line(const m5_text *text, const char *key)
{
    size_t start = 0;
    while (start < text->size) {
        size_t at = start;
        while (text->bytes[at] == ' ' || text->bytes[at] == '\t') at++;
        if (strncmp(text->bytes + at, key, strlen(key)) == 0) return start;
        while (start < text->size && text->bytes[start] != '\n') start++;
        start++;
    }
    return text->size;
}

void m5_flawed(const m5_flaw *flaw, m5_text *out)
{
    m5_text base;
    size_t start, end;
    memset(&base, 0, sizeof base);
    if ((flaw->kind == M5_MESH) == (flaw->replacement != NULL)) {
        m5_arm_mesh(&base, 0);
    } else {
        m5_arm_anim(&base, M5_WAVE, 0);
    }
    start = flaw->edit == M5_TAIL ? base.size : flaw->edit == M5_WHOLE ? 0 : m5_find_line(&base, flaw->key);
    if (start == base.size && flaw->edit != M5_TAIL) abort(); /* the key is not there */
    end = start;
    if (flaw->edit == M5_LINE) end += strcspn(base.bytes + end, "\n");
    if (flaw->replacement) {
        m5_put_bytes(out, base.bytes, start);
        m5_put_text(out, flaw->replacement);
        if (flaw->edit == M5_LINE) m5_put_bytes(out, base.bytes + end, base.size - end);
    } else {
        m5_put_bytes(out, base.bytes, base.size);
    }
    m5_free(&base);
}

/* -- All of them, by number ------------------------------------------------ */

m5_entry m5_make(int index, m5_text *out)
{
    m5_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.loads = true;
    entry.result = "";
    if (index < M5_STYLES) {
        snprintf(entry.name, sizeof entry.name, "arm_%s", m5_styles[index].name);
        m5_arm_mesh(out, m5_styles[index].flags);
    } else if (index < 2 * M5_STYLES) {
        entry.kind = M5_ANIM;
        snprintf(entry.name, sizeof entry.name, "wave_%s", m5_styles[index - M5_STYLES].name);
        m5_arm_anim(out, M5_WAVE, m5_styles[index - M5_STYLES].flags);
    } else if (index < M5_WHOLE_MODELS) {
        entry.kind = M5_ANIM;
        snprintf(entry.name, sizeof entry.name, "%s", m5_clips[index - 2 * M5_STYLES].name);
        m5_arm_anim(out, index - 2 * M5_STYLES, 0);
    } else {
        const m5_flaw *flaw = &m5_flaws[index - M5_WHOLE_MODELS];
        entry.kind = flaw->kind;
        entry.loads = flaw->expected[0] == '\0';
        entry.refused = !entry.loads && flaw->expected[0] != '?';
        entry.result = entry.refused ? flaw->expected : "";
        snprintf(entry.name, sizeof entry.name, "%s", flaw->name);
        m5_flawed(flaw, out);
    }
    return entry;
}

int make_models_md5(const char *folder)
{
    int i;
    for (i = 0; i < M5_MODELS; i++) {
        char     path[512];
        m5_text  text;
        m5_entry entry;
        FILE    *file;
        bool     written;
        memset(&text, 0, sizeof text);
        entry = m5_make(i, &text);
        snprintf(path, sizeof path, "%s/%s.%s", folder, entry.name,
                 entry.kind == M5_MESH ? "md5mesh" : "md5anim");
        file = fopen(path, "wb");
        written = file && fwrite(text.bytes ? text.bytes : "", 1, text.size, file) == text.size;
        m5_free(&text);
        if (!file || fclose(file) != 0 || !written) return -1;
    }
    return M5_MODELS;
}
