/* The malformed models of model_builder_md5.h. Public domain. */
#include "model_builder_md5.h"
#include "support.h"

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

#define MESH(name, key, line, outcome) { name, M5_MESH, M5_LINE, key, line, outcome }
#define ANIM(name, key, line, outcome) { name, M5_ANIM, M5_LINE, key, line, outcome }

const m5_flaw m5_flaws[M5_FLAWS] = {
    /* Not MD5 at all, or another version of it. What is refused, and in which words, is tested on smaller
       texts; these are what tests of broken files begin with. */
    { "empty", M5_MESH, M5_WHOLE, "", "", M5_REFUSED },
    { "utf16", M5_MESH, M5_WHOLE, "", "\xFF\xFEM", M5_REFUSED },
    MESH("no_version", "MD5Version", "", M5_LOADS),
    { "alpha", M5_MESH, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_MESH, M5_REFUSED },
    { "alpha_anim", M5_ANIM, M5_WHOLE, "", "MD5Version 6\n" M5_ALPHA_ANIM, M5_REFUSED },
    { "camera", M5_MESH, M5_WHOLE, "", M5_CAMERA, M5_REFUSED },
    { "camera_as_anim", M5_ANIM, M5_WHOLE, "", M5_CAMERA, M5_REFUSED },

    /* Counts of a mesh */
    MESH("joints_2e9", "numJoints", "numJoints 2000000000", M5_REFUSED),
    MESH("joints_2_to_64", "numJoints", "numJoints 18446744073709551622", M5_REFUSED),
    MESH("joints_uncounted", "numJoints", "", M5_EITHER),
    MESH("meshes_one_listed_three", "numMeshes", "numMeshes 1", M5_LOADS),
    MESH("meshes_five_listed_three", "numMeshes", "numMeshes 5", M5_LOADS),
    MESH("meshes_2e9", "numMeshes", "numMeshes 2000000000", M5_EITHER),
    MESH("meshes_none", "numMeshes", "numMeshes 0", M5_EITHER),
    MESH("verts_2e9", "numverts", "numverts 2000000000", M5_REFUSED),
    MESH("verts_twice", "numtris",
         "numverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 0 0 ) 0 1\nvert 2 ( 0 0 ) 0 1\nnumtris 80",
         M5_EITHER),
    MESH("tris_one_less", "numtris", "numtris 79", M5_EITHER),
    MESH("weights_too_few", "numweights", "numweights 99", M5_REFUSED),
    MESH("weights_uncounted", "numweights", "", M5_EITHER),
    { "no_mesh", M5_MESH, M5_CUT, "mesh", "", M5_EITHER },

    /* Joints */
    MESH("parent_later", "\"lower.L\"", "\"lower.L\" 3 ( 0 0 0 ) ( 0 0 0 )", M5_REFUSED),
    MESH("joint_ind", "\"hand\"", "\"hand\" 2 ( 1.#IND 0 0 ) ( 0 0 0 )", M5_REFUSED),
    MESH("joint_inf", "\"hand\"", "\"hand\" 2 ( 0 0 -inf ) ( 0 0 0 )", M5_REFUSED),
    MESH("joint_huge_rotation", "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 1e9 -1e9 0 )", M5_EITHER),
    MESH("joint_huge_position", "\"hand\"", "\"hand\" 2 ( 1e9 1e9 1e9 ) ( 0 0.5 0 )", M5_EITHER),

    /* Vertices, triangles, weights */
    MESH("vert_last_out", "vert 3 ", "vert 3 ( 0 0 ) 114 2", M5_REFUSED),
    MESH("vert_just_in", "vert 3 ", "vert 3 ( 0 0 ) 113 2", M5_LOADS),
    MESH("vert_wraps", "vert 3 ", "vert 3 ( 0 0 ) 4294967295 2", M5_REFUSED),
    MESH("vert_64_weights", "vert 3 ", "vert 3 ( 0 0 ) 3 64", M5_LOADS),
    MESH("vert_number_twice", "vert 3 ", "vert 2 ( 0 0 ) 3 1", M5_EITHER),
    MESH("vert_huge_uv", "vert 3 ", "vert 3 ( 1e9 -1e9 ) 3 1", M5_EITHER),
    MESH("weight_joint_huge", "weight 7 ", "weight 7 4294967296 1 ( 0 0 0 )", M5_REFUSED),
    MESH("weight_overflow", "weight 7 ", "weight 7 1 1 ( 0 0 1.1e9 )", M5_REFUSED),
    MESH("weight_huge", "weight 7 ", "weight 7 1 1e9 ( 1e9 0 0 )", M5_EITHER),
    MESH("weight_bias_minus", "weight 7 ", "weight 7 1 -0.5 ( 0 0 0 )", M5_LOADS),
    { "mesh_unended", M5_MESH, M5_CUT, "weight 7 ", "", M5_REFUSED },
    { "junk_behind", M5_MESH, M5_TAIL, "", "\n}}} ) junk \" \x01\x02 mesh {", M5_LOADS },

    /* Counts of an animation */
    ANIM("frames_one_less", "numFrames", "numFrames 12", M5_LOADS),
    ANIM("frames_65537", "numFrames", "numFrames 65537", M5_REFUSED),
    ANIM("rate_zero", "frameRate", "frameRate 0", M5_LOADS),
    ANIM("rate_minus", "frameRate", "frameRate -24", M5_LOADS),
    ANIM("rate_float", "frameRate", "frameRate 29.97", M5_LOADS),
    ANIM("rate_tiny", "frameRate", "frameRate 1e-44", M5_EITHER),
    ANIM("components_2e9", "numAnim", "numAnimatedComponents 2000000000", M5_REFUSED),

    /* Hierarchy, baseframe, frames */
    ANIM("start_just_out", "\"hand\"", "\"hand\" 2 63 9", M5_REFUSED),
    ANIM("start_just_in", "\"hand\"", "\"hand\" 2 63 8", M5_LOADS),
    ANIM("start_wraps", "\"hand\"", "\"hand\" 2 63 4294967295", M5_REFUSED),
    ANIM("start_meaningless", "\"thumb\"", "\"thumb\" 3 0 4000", M5_LOADS),
    ANIM("start_meaningless_minus", "\"thumb\"", "\"thumb\" 3 0 -1", M5_LOADS),
    ANIM("anim_parent_later", "\"hand\"", "\"hand\" 5 63 5", M5_REFUSED),
    ANIM("bounds_more", "bounds", "bounds {\n( 0 0 0 ) ( 1 1 1 )\n( -1 -1 -1 ) ( 2 2 2 )",
         M5_LOADS),
    ANIM("bounds_swapped", "bounds", "bounds {\n( 1 1 1 ) ( 0 0 0 )", M5_LOADS),
    ANIM("bounds_gone", "bounds", "boundless {", M5_EITHER),
    ANIM("bounds_inf", "bounds", "bounds {\n( inf 0 0 ) ( 0 0 0 )", M5_REFUSED),
    ANIM("frame_twice", "frame 3 ", "frame 2 {", M5_REFUSED),
    ANIM("frame_far_away", "frame 3 ", "frame 300 {", M5_EITHER),
    ANIM("frame_minus", "frame 3 ", "frame -3 {", M5_EITHER),
    ANIM("frame_2_to_32", "frame 3 ", "frame 4294967299 {", M5_REFUSED),
    ANIM("frame_overflow", "frame 3 ", "frame 3 {\n1e400", M5_REFUSED),
    { "frames_cut", M5_ANIM, M5_CUT, "frame 12 ", "", M5_REFUSED },
    ANIM("frames_renumbered_one_more", "frame 12 ", "frame 13 {", M5_EITHER),
    { "mesh_as_anim", M5_ANIM, M5_WHOLE, "", NULL, M5_REFUSED },
    { "anim_as_mesh", M5_MESH, M5_WHOLE, "", NULL, M5_REFUSED },
    { "anim_junk_behind", M5_ANIM, M5_TAIL, "", "\n11 5.09 } frame 0 { 1 }\n\x01\xFF\"", M5_LOADS }
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
    m5_text base = { NULL, 0, 0 };
    if ((flaw->kind == M5_MESH) == (flaw->replacement != NULL)) m5_arm_mesh(&base, 0);
    else m5_arm_anim(&base, M5_WAVE, 0);
    size_t start = flaw->edit == M5_TAIL    ? base.size
            : flaw->edit == M5_WHOLE ? 0
                                     : m5_find_line(&base, flaw->key);
    if (start == base.size && flaw->edit != M5_TAIL) abort(); /* the key is not there */
    size_t end = start;
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
    m5_entry        entry = { "", index < M5_STYLES ? M5_MESH : M5_ANIM, M5_LOADS };
    const m5_style *style = &m5_styles[index % M5_STYLES];
    const char     *prefix = "", *name = style->name;
    if (index < M5_STYLES) {
        prefix = "arm_";
        m5_arm_mesh(out, style->flags);
    } else if (index < 2 * M5_STYLES) {
        prefix = "wave_";
        m5_arm_anim(out, M5_WAVE, style->flags);
    } else if (index < M5_WHOLE_MODELS) {
        name = m5_clips[index - 2 * M5_STYLES].name;
        m5_arm_anim(out, index - 2 * M5_STYLES, 0);
    } else {
        const m5_flaw *flaw = &m5_flaws[index - M5_WHOLE_MODELS];
        name = flaw->name;
        entry.kind = flaw->kind;
        entry.outcome = flaw->outcome;
        m5_flawed(flaw, out);
    }
    snprintf(entry.name, sizeof entry.name, "%s%s", prefix, name);
    return entry;
}
