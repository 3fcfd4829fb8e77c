/* The malformed models of models_md5.h. Public domain. */
#include "models_md5.h"

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
    { "empty", M5_MESH, M5_WHOLE, "", "", "NOT_MD5", NULL, false },
    { "blank", M5_MESH, M5_WHOLE, "", " \r\n\t\n  ", "NOT_MD5", NULL, false },
    { "only_a_comment", M5_MESH, M5_WHOLE, "", "// MD5Version 10", "NOT_MD5", NULL, false },
    { "only_a_bom", M5_MESH, M5_WHOLE, "", "\xEF\xBB\xBF", "NOT_MD5", NULL, false },
    { "stl", M5_MESH, M5_WHOLE, "", "solid cube\nfacet normal 0 0 1\n", "NOT_MD5", NULL, false },
    { "hash", M5_ANIM, M5_WHOLE, "", "d41d8cd98f00b204e9800998ecf8427e  arm.md5mesh\n", "NOT_MD5",
      NULL, false },
    { "md2", M5_MESH, M5_WHOLE, "", "IDP2\x08", "NOT_MD5", NULL, false },
    { "utf16", M5_MESH, M5_WHOLE, "", "\xFF\xFEM", "NOT_MD5", NULL, false },
    { "no_version", M5_MESH, M5_LINE, "MD5Version", "", "NOT_MD5", NULL, false },
    { "longer_word", M5_MESH, M5_LINE, "MD5Version", "MD5Versions 10", "NOT_MD5", NULL, false },
    { "version_cut", M5_MESH, M5_WHOLE, "", "MD5Version", "SYNTAX VERSION", NULL, false },
    { "version_word", M5_MESH, M5_LINE, "MD5Version", "MD5Version ten", "SYNTAX VERSION", NULL,
      true },
    { "version_6", M5_MESH, M5_LINE, "MD5Version", "MD5Version 6", "VERSION", "6", true },
    { "version_9", M5_MESH, M5_LINE, "MD5Version", "MD5Version 9", "VERSION", "9", true },
    { "version_13", M5_ANIM, M5_LINE, "MD5Version", "MD5Version 13", "VERSION", "13", true },
    { "version_678", M5_MESH, M5_LINE, "MD5Version", "MD5Version 678", "VERSION", "678", true },
    { "version_minus", M5_MESH, M5_LINE, "MD5Version", "MD5Version -10", "SYNTAX VERSION", "-10",
      true },
    { "alpha", M5_MESH, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_MESH, "VERSION", "alpha", false },
    { "alpha_says_10", M5_MESH, M5_WHOLE, "", "MD5Version 10\n" M5_ALPHA_MESH, "VERSION", "alpha",
      false },
    { "alpha_anim", M5_ANIM, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_ANIM, "VERSION", "alpha",
      false },
    { "alpha_anim_says_10", M5_ANIM, M5_WHOLE, "", "MD5Version 10\n" M5_ALPHA_ANIM, "VERSION",
      "alpha", false },
    { "camera", M5_MESH, M5_WHOLE, "", M5_CAMERA, "SYNTAX CORRUPT", NULL, false },
    { "camera_as_anim", M5_ANIM, M5_WHOLE, "", M5_CAMERA, "SYNTAX CORRUPT", NULL, false },
    { "only_version", M5_MESH, M5_WHOLE, "", "MD5Version 10\n", "SYNTAX CORRUPT", NULL, false },
    { "only_version_anim", M5_ANIM, M5_WHOLE, "", "MD5Version 10\n", "SYNTAX CORRUPT", NULL,
      false },

    /* Counts of a mesh */
    { "joints_33s", M5_MESH, M5_LINE, "numJoints", "numJoints 33s", "SYNTAX", "33s", true },
    { "joints_float", M5_MESH, M5_LINE, "numJoints", "numJoints 6.5", "SYNTAX", NULL, true },
    { "joints_missing_number", M5_MESH, M5_LINE, "numJoints", "numJoints", "SYNTAX", NULL, false },
    { "joints_minus", M5_MESH, M5_LINE, "numJoints", "numJoints -6", "SYNTAX CORRUPT", "-6", true },
    { "joints_none", M5_MESH, M5_LINE, "numJoints", "numJoints 0", "SYNTAX CORRUPT", NULL, false },
    { "joints_one_less", M5_MESH, M5_LINE, "numJoints", "numJoints 5", "SYNTAX CORRUPT", NULL,
      false },
    { "joints_one_more", M5_MESH, M5_LINE, "numJoints", "numJoints 7", "SYNTAX CORRUPT", NULL,
      false },
    { "joints_2e9", M5_MESH, M5_LINE, "numJoints", "numJoints 2000000000", "SYNTAX CORRUPT LIMIT",
      NULL, false },
    { "joints_2_to_32", M5_MESH, M5_LINE, "numJoints", "numJoints 4294967302",
      "SYNTAX CORRUPT LIMIT", NULL, false },
    { "joints_2_to_64", M5_MESH, M5_LINE, "numJoints", "numJoints 18446744073709551622",
      "SYNTAX CORRUPT LIMIT", NULL, false },
    { "joints_long_number", M5_MESH, M5_LINE, "numJoints",
      "numJoints 600000000000000000000000000000000000000000", "SYNTAX CORRUPT LIMIT", NULL, false },
    { "joints_uncounted", M5_MESH, M5_LINE, "numJoints", "", "?", NULL, false },
    { "meshes_one_listed_three", M5_MESH, M5_LINE, "numMeshes", "numMeshes 1", "", NULL, false },
    { "meshes_five_listed_three", M5_MESH, M5_LINE, "numMeshes", "numMeshes 5", "", NULL, false },
    { "meshes_minus", M5_MESH, M5_LINE, "numMeshes", "numMeshes -1", "SYNTAX CORRUPT", NULL,
      false },
    { "meshes_2e9", M5_MESH, M5_LINE, "numMeshes", "numMeshes 2000000000", "?", NULL, false },
    { "meshes_none", M5_MESH, M5_LINE, "numMeshes", "numMeshes 0", "?", NULL, false },
    { "verts_2e9", M5_MESH, M5_LINE, "numverts", "numverts 2000000000", "SYNTAX CORRUPT LIMIT",
      NULL, false },
    { "verts_minus", M5_MESH, M5_LINE, "numverts", "numverts -55", "SYNTAX CORRUPT", "-55", true },
    { "verts_one_more", M5_MESH, M5_LINE, "numverts", "numverts 56", "SYNTAX CORRUPT", NULL,
      false },
    { "verts_one_less", M5_MESH, M5_LINE, "numverts", "numverts 54", "SYNTAX CORRUPT", NULL,
      false },
    { "verts_word", M5_MESH, M5_LINE, "numverts", "numverts many", "SYNTAX", "many", true },
    { "verts_twice", M5_MESH, M5_LINE, "numtris",
      "numverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 0 0 ) 0 1\nnumtris 80", "?",
      NULL, false },
    { "tris_2e9", M5_MESH, M5_LINE, "numtris", "numtris 2000000000", "SYNTAX CORRUPT LIMIT", NULL,
      false },
    { "tris_minus", M5_MESH, M5_LINE, "numtris", "numtris -1", "SYNTAX CORRUPT", NULL, false },
    { "tris_one_more", M5_MESH, M5_LINE, "numtris", "numtris 81", "SYNTAX CORRUPT", NULL, false },
    { "tris_one_less", M5_MESH, M5_LINE, "numtris", "numtris 79", "?", NULL, false },
    { "weights_2e9", M5_MESH, M5_LINE, "numweights", "numweights 2000000000",
      "SYNTAX CORRUPT LIMIT", NULL, false },
    { "weights_one_more", M5_MESH, M5_LINE, "numweights", "numweights 116", "SYNTAX CORRUPT", NULL,
      false },
    { "weights_too_few", M5_MESH, M5_LINE, "numweights", "numweights 99", "SYNTAX CORRUPT", NULL,
      false },
    { "weights_uncounted", M5_MESH, M5_LINE, "numweights", "", "?", NULL, false },
    { "no_joints", M5_MESH, M5_LINE, "joints", "bones {", "SYNTAX CORRUPT VERSION", NULL, false },
    { "no_mesh", M5_MESH, M5_CUT, "mesh", "", "?", NULL, false },

    /* Joints */
    { "parent_itself", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 2 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT", "lower.L", true },
    { "parent_later", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 3 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT", "3", true },
    { "parent_1000", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" 1000 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT", "1000", true },
    { "parent_minus_2", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" -2 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT", "-2", true },
    { "parent_2_to_32", M5_MESH, M5_LINE, "\"lower.L\"",
      "\"lower.L\" 4294967296 ( 0 0 0 ) ( 0 0 0 )", "CORRUPT SYNTAX", "4294967296", true },
    { "root_its_own_parent", M5_MESH, M5_LINE, "\"origin\"", "\"origin\" 0 ( 0 0 0 ) ( 0 0 0 )",
      "CORRUPT", NULL, true },
    { "parent_word", M5_MESH, M5_LINE, "\"lower.L\"", "\"lower.L\" one ( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX", "one", true },
    { "joint_without_parenthesis", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 0 0 0 ) ( 0 0 0 )",
      "SYNTAX", NULL, true },
    { "joint_two_numbers", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 ) ( 0 0 0 )", "SYNTAX",
      NULL, true },
    { "joint_four_numbers", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 0 0 0 1 )",
      "SYNTAX", NULL, true },
    { "name_unended", M5_MESH, M5_LINE, "\"hand\"", "\"hand 2 ( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", NULL, false },
    { "name_unended_to_the_end", M5_MESH, M5_WHOLE, "", "MD5Version 10\ncommandline \"mesh",
      "SYNTAX", NULL, false },
    { "joint_ind", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 1.#IND 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", "1.#IND", true },
    { "joint_nan", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 nan 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", "nan", true },
    { "joint_inf", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 -inf ) ( 0 0 0 )",
      "SYNTAX CORRUPT", "inf", true },
    { "joint_overflow", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 0 1e39 0 )",
      "SYNTAX CORRUPT", "1e39", true },
    { "joint_huge_rotation", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 1e30 -1e30 0 )",
      "?", NULL, false },
    { "joint_huge_position", M5_MESH, M5_LINE, "\"hand\"",
      "\"hand\" 2 ( 3e38 3e38 3e38 ) ( 0 0.5 0 )", "?", NULL, false },
    { "joint_comma", M5_MESH, M5_LINE, "\"hand\"", "\"hand\" 2 ( 1,5 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", "1,5", true },

    /* Vertices, triangles, weights */
    { "vert_first_out", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 4000000 2", "CORRUPT", NULL,
      false },
    { "vert_last_out", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 114 2", "CORRUPT", NULL,
      false },
    { "vert_just_in", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 113 2", "", NULL, false },
    { "vert_first_minus", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) -1 2", "CORRUPT SYNTAX",
      NULL, false },
    { "vert_wraps", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 4294967295 2", "CORRUPT SYNTAX",
      NULL, false },
    { "vert_no_weight", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 0", "CORRUPT", NULL, false },
    { "vert_minus_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 -1", "CORRUPT SYNTAX",
      NULL, false },
    { "vert_64_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 64", "", NULL, false },
    { "vert_65_weights", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 0 ) 3 65", "CORRUPT LIMIT", "65",
      false },
    { "vert_number_out", M5_MESH, M5_LINE, "vert 3 ", "vert 55 ( 0 0 ) 3 1", "CORRUPT SYNTAX", NULL,
      true },
    { "vert_number_minus", M5_MESH, M5_LINE, "vert 3 ", "vert -1 ( 0 0 ) 3 1", "CORRUPT SYNTAX",
      NULL, true },
    { "vert_number_huge", M5_MESH, M5_LINE, "vert 3 ", "vert 4294967295 ( 0 0 ) 3 1",
      "CORRUPT SYNTAX", NULL, true },
    { "vert_number_twice", M5_MESH, M5_LINE, "vert 3 ", "vert 2 ( 0 0 ) 3 1", "?", NULL, false },
    { "vert_nan", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( nan 0 ) 3 1", "CORRUPT SYNTAX", "nan",
      true },
    { "vert_huge_uv", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 3e38 -3e38 ) 3 1", "?", NULL, false },
    { "vert_one_uv", M5_MESH, M5_LINE, "vert 3 ", "vert 3 ( 0 ) 3 1", "SYNTAX", NULL, true },
    { "vert_misspelt", M5_MESH, M5_LINE, "vert 3 ", "vrt 3 ( 0 0 ) 3 1", "SYNTAX CORRUPT", NULL,
      true },
    { "tri_vertex_out", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 1 55", "CORRUPT", "55", false },
    { "tri_vertex_minus", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 -1 5", "CORRUPT SYNTAX", NULL,
      false },
    { "tri_vertex_huge", M5_MESH, M5_LINE, "tri 4 ", "tri 4 4294967295 1 5", "CORRUPT SYNTAX", NULL,
      false },
    { "tri_number_out", M5_MESH, M5_LINE, "tri 4 ", "tri 4294967295 0 1 5", "CORRUPT SYNTAX", NULL,
      true },
    { "tri_two_vertices", M5_MESH, M5_LINE, "tri 4 ", "tri 4 0 1", "SYNTAX", NULL, false },
    { "weight_joint_out", M5_MESH, M5_LINE, "weight 7 ", "weight 7 6 1 ( 0 0 0 )", "CORRUPT", "6",
      true },
    { "weight_joint_minus", M5_MESH, M5_LINE, "weight 7 ", "weight 7 -1 1 ( 0 0 0 )",
      "CORRUPT SYNTAX", NULL, true },
    { "weight_joint_huge", M5_MESH, M5_LINE, "weight 7 ", "weight 7 4294967296 1 ( 0 0 0 )",
      "CORRUPT SYNTAX", NULL, true },
    { "weight_number_out", M5_MESH, M5_LINE, "weight 7 ", "weight 4294967295 0 1 ( 0 0 0 )",
      "CORRUPT SYNTAX", NULL, true },
    { "weight241", M5_MESH, M5_LINE, "weight 7 ", "weight7 0 1 ( 0 0 0 )", "SYNTAX CORRUPT", NULL,
      true },
    { "weight_bias_nan", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 nan ( 0 0 0 )",
      "CORRUPT SYNTAX", "nan", true },
    { "weight_overflow", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 1 ( 0 0 4e38 )",
      "CORRUPT SYNTAX", "4e38", true },
    { "weight_huge", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 3e38 ( 3e38 0 0 )", "?", NULL,
      false },
    { "weight_bias_minus", M5_MESH, M5_LINE, "weight 7 ", "weight 7 1 -0.5 ( 0 0 0 )", "", NULL,
      false },
    { "mesh_unended", M5_MESH, M5_CUT, "weight 7 ", "", "SYNTAX CORRUPT", NULL, false },
    { "mesh_stray_brace", M5_MESH, M5_LINE, "numtris", "}\nnumtris 80", "SYNTAX CORRUPT", NULL,
      false },
    { "junk_behind", M5_MESH, M5_TAIL, "", "\n}}} ) junk \" \x01\x02 mesh {", "", NULL, false },

    /* Counts of an animation */
    { "frames_none", M5_ANIM, M5_LINE, "numFrames", "numFrames 0", "CORRUPT SYNTAX", NULL, false },
    { "frames_minus", M5_ANIM, M5_LINE, "numFrames", "numFrames -13", "CORRUPT SYNTAX", "-13",
      true },
    { "frames_one_more", M5_ANIM, M5_LINE, "numFrames", "numFrames 14", "CORRUPT SYNTAX", NULL,
      false },
    { "frames_one_less", M5_ANIM, M5_LINE, "numFrames", "numFrames 12", "", NULL, false },
    { "frames_65537", M5_ANIM, M5_LINE, "numFrames", "numFrames 65537", "LIMIT CORRUPT", "65537",
      false },
    { "frames_2e9", M5_ANIM, M5_LINE, "numFrames", "numFrames 2000000000", "LIMIT CORRUPT", NULL,
      false },
    { "frames_2_to_32", M5_ANIM, M5_LINE, "numFrames", "numFrames 4294967309",
      "LIMIT CORRUPT SYNTAX", NULL, false },
    { "anim_joints_one_more", M5_ANIM, M5_LINE, "numJoints", "numJoints 7", "CORRUPT SYNTAX", NULL,
      false },
    { "anim_joints_one_less", M5_ANIM, M5_LINE, "numJoints", "numJoints 5", "CORRUPT SYNTAX", NULL,
      false },
    { "anim_joints_2e9", M5_ANIM, M5_LINE, "numJoints", "numJoints 2000000000",
      "LIMIT CORRUPT SYNTAX", NULL, false },
    { "rate_zero", M5_ANIM, M5_LINE, "frameRate", "frameRate 0", "", NULL, false },
    { "rate_minus", M5_ANIM, M5_LINE, "frameRate", "frameRate -24", "", NULL, false },
    { "rate_float", M5_ANIM, M5_LINE, "frameRate", "frameRate 29.97", "", NULL, false },
    { "rate_word", M5_ANIM, M5_LINE, "frameRate", "frameRate fast", "SYNTAX CORRUPT", "fast",
      true },
    { "rate_nan", M5_ANIM, M5_LINE, "frameRate", "frameRate nan", "SYNTAX CORRUPT", "nan", true },
    { "rate_tiny", M5_ANIM, M5_LINE, "frameRate", "frameRate 1e-44", "?", NULL, false },
    { "components_minus", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents -1", "CORRUPT SYNTAX",
      NULL, false },
    { "components_one_less", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 13",
      "CORRUPT SYNTAX", NULL, false },
    { "components_one_more", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 15",
      "CORRUPT SYNTAX", NULL, false },
    { "components_2e9", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 2000000000",
      "LIMIT CORRUPT SYNTAX", NULL, false },
    { "components_none", M5_ANIM, M5_LINE, "numAnim", "numAnimatedComponents 0", "CORRUPT SYNTAX",
      NULL, false },

    /* Hierarchy, baseframe, frames */
    { "flags_64", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 64 5", "CORRUPT", "64", true },
    { "flags_minus", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 -1 5", "CORRUPT SYNTAX", NULL,
      true },
    { "start_minus", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 -1", "CORRUPT SYNTAX", NULL,
      true },
    { "start_out", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 4000", "CORRUPT", NULL, true },
    { "start_just_out", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 9", "CORRUPT", NULL, true },
    { "start_just_in", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 8", "", NULL, false },
    { "start_wraps", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 2 63 4294967295", "CORRUPT SYNTAX",
      NULL, true },
    { "start_meaningless", M5_ANIM, M5_LINE, "\"thumb\"", "\"thumb\" 3 0 4000", "", NULL, false },
    { "start_meaningless_minus", M5_ANIM, M5_LINE, "\"thumb\"", "\"thumb\" 3 0 -1", "", NULL,
      false },
    { "anim_parent_itself", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 3 63 5", "CORRUPT", "hand",
      true },
    { "anim_parent_later", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 5 63 5", "CORRUPT", NULL, true },
    { "anim_parent_minus_2", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" -2 63 5", "CORRUPT", "-2",
      true },
    { "anim_parent_1000", M5_ANIM, M5_LINE, "\"hand\"", "\"hand\" 1000 63 5", "CORRUPT", NULL,
      true },
    { "baseframe_one_more", M5_ANIM, M5_LINE, "baseframe", "baseframe {\n( 0 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", NULL, false },
    { "baseframe_uncounted", M5_ANIM, M5_LINE, "baseframe", "baseframes {", "SYNTAX CORRUPT", NULL,
      false },
    { "baseframe_nan", M5_ANIM, M5_LINE, "baseframe", "baseframe {\n( nan 0 0 ) ( 0 0 0 )",
      "SYNTAX CORRUPT", "nan", false },
    { "bounds_more", M5_ANIM, M5_LINE, "bounds",
      "bounds {\n( 0 0 0 ) ( 1 1 1 )\n( -1 -1 -1 ) ( 2 2 2 )", "", NULL, false },
    { "bounds_swapped", M5_ANIM, M5_LINE, "bounds", "bounds {\n( 1 1 1 ) ( 0 0 0 )", "", NULL,
      false },
    { "bounds_gone", M5_ANIM, M5_LINE, "bounds", "boundless {", "?", NULL, false },
    { "bounds_inf", M5_ANIM, M5_LINE, "bounds", "bounds {\n( inf 0 0 ) ( 0 0 0 )", "SYNTAX CORRUPT",
      "inf", false },
    { "frame_twice", M5_ANIM, M5_LINE, "frame 3 ", "frame 2 {", "CORRUPT SYNTAX", "2", true },
    { "frame_far_away", M5_ANIM, M5_LINE, "frame 3 ", "frame 300 {", "?", NULL, false },
    { "frame_minus", M5_ANIM, M5_LINE, "frame 3 ", "frame -3 {", "?", NULL, false },
    { "frame_2_to_32", M5_ANIM, M5_LINE, "frame 3 ", "frame 4294967299 {", "CORRUPT SYNTAX", NULL,
      false },
    { "frame_word", M5_ANIM, M5_LINE, "frame 3 ", "frame three {", "SYNTAX CORRUPT", "three",
      true },
    { "frame_one_number_more", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n0.5", "SYNTAX CORRUPT",
      NULL, false },
    { "frame_numbers_gone", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n}\nframe 13 {",
      "SYNTAX CORRUPT", NULL, false },
    { "frame_ind", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n-1.#IND00", "SYNTAX CORRUPT",
      "-1.#IND00", false },
    { "frame_overflow", M5_ANIM, M5_LINE, "frame 3 ", "frame 3 {\n1e400", "SYNTAX CORRUPT", "1e400",
      false },
    { "frames_cut", M5_ANIM, M5_CUT, "frame 12 ", "", "SYNTAX CORRUPT", NULL, false },
    { "frames_renumbered_one_more", M5_ANIM, M5_LINE, "frame 12 ", "frame 13 {", "?", NULL, false },
    { "hierarchy_gone", M5_ANIM, M5_LINE, "hierarchy", "hierarchies {", "SYNTAX CORRUPT", NULL,
      false },
    { "mesh_as_anim", M5_ANIM, M5_WHOLE, "", NULL, "SYNTAX CORRUPT", NULL, false },
    { "anim_as_mesh", M5_MESH, M5_WHOLE, "", NULL, "SYNTAX CORRUPT", NULL, false },
    { "anim_junk_behind", M5_ANIM, M5_TAIL, "", "\n11 5.09 } frame 0 { 1 }\n\x01\xFF\"", "", NULL,
      false }
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

uint32_t m5_flawed(const m5_flaw *flaw, m5_text *out)
{
    m5_text  base;
    size_t   start, end, i;
    uint32_t line = 1;
    memset(&base, 0, sizeof base);
    if ((flaw->kind == M5_MESH) == (flaw->replacement != NULL))
        m5_arm_mesh(&base, 0);
    else
        m5_arm_anim(&base, M5_WAVE, 0);
    start = flaw->edit == M5_TAIL    ? base.size
            : flaw->edit == M5_WHOLE ? 0
                                     : m5_find_line(&base, flaw->key);
    if (start == base.size && flaw->edit != M5_TAIL) line = 0;
    end = start;
    if (flaw->edit == M5_LINE)
        while (end < base.size && base.bytes[end] != '\n') end++;
    if (flaw->edit == M5_WHOLE && flaw->replacement) start = end = base.size;
    for (i = 0; line && i < start; i++) line += base.bytes[i] == '\n';
    if (flaw->edit != M5_WHOLE || !flaw->replacement)
        m5_put_bytes(out, base.bytes, flaw->replacement ? start : base.size);
    if (flaw->replacement) m5_put_text(out, flaw->replacement);
    if (flaw->edit == M5_LINE) m5_put_bytes(out, base.bytes + end, base.size - end);
    m5_free(&base);
    return line;
}

/* -- All of them, by number ------------------------------------------------ */

m5_entry m5_make(int index, m5_text *out)
{
    m5_entry entry;
    memset(&entry, 0, sizeof entry);
    entry.loads = true;
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
