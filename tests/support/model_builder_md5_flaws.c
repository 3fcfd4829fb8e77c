/* The unusual models of model_builder_md5.h, and all of its models by number. Public domain. */
#include "model_builder_md5.h"
#include "support.h"

/* -- Unusual models that load ---------------------------------------------- */

/* Models that are refused, and the messages, are tested with smaller texts in tests/md5/errors.c. */
const m5_flaw m5_flaws[] = {
    { "no_version", M5_MESH, "MD5Version", "" },
    { "meshes_one_listed_three", M5_MESH, "numMeshes", "numMeshes 1" },
    { "meshes_five_listed_three", M5_MESH, "numMeshes", "numMeshes 5" },
    { "meshes_2e9", M5_MESH, "numMeshes", "numMeshes 2000000000" },
    { "meshes_none", M5_MESH, "numMeshes", "numMeshes 0" },
    { "no_mesh", M5_MESH, "mesh", NULL },
    { "joint_huge_rotation", M5_MESH, "\"hand\"", "\"hand\" 2 ( 0 0 0 ) ( 1e9 -1e9 0 )" },
    { "joint_huge_position", M5_MESH, "\"hand\"", "\"hand\" 2 ( 1e9 1e9 1e9 ) ( 0 0.5 0 )" },
    { "vert_just_in", M5_MESH, "vert 3 ", "vert 3 ( 0 0 ) 113 2" },
    { "vert_64_weights", M5_MESH, "vert 3 ", "vert 3 ( 0 0 ) 3 64" },
    { "vert_huge_uv", M5_MESH, "vert 3 ", "vert 3 ( 1e9 -1e9 ) 3 1" },
    { "weight_huge", M5_MESH, "weight 7 ", "weight 7 1 1e9 ( 1e9 0 0 )" },
    { "weight_bias_minus", M5_MESH, "weight 7 ", "weight 7 1 -0.5 ( 0 0 0 )" },
    { "junk_behind", M5_MESH, NULL, "\n}}} ) junk \" \x01\x02 mesh {" },
    { "frames_one_less", M5_ANIM, "numFrames", "numFrames 12" },
    { "rate_zero", M5_ANIM, "frameRate", "frameRate 0" },
    { "rate_minus", M5_ANIM, "frameRate", "frameRate -24" },
    { "rate_float", M5_ANIM, "frameRate", "frameRate 29.97" },
    { "rate_tiny", M5_ANIM, "frameRate", "frameRate 0.001" },
    { "start_just_in", M5_ANIM, "\"hand\"", "\"hand\" 2 63 8" },
    { "start_meaningless", M5_ANIM, "\"thumb\"", "\"thumb\" 3 0 4000" },
    { "start_meaningless_minus", M5_ANIM, "\"thumb\"", "\"thumb\" 3 0 -1" },
    { "bounds_more", M5_ANIM, "bounds", "bounds {\n( 0 0 0 ) ( 1 1 1 )\n( -1 -1 -1 ) ( 2 2 2 )" },
    { "bounds_swapped", M5_ANIM, "bounds", "bounds {\n( 1 1 1 ) ( 0 0 0 )" },
    { "bounds_gone", M5_ANIM, "bounds", "boundless {" },
    { "anim_junk_behind", M5_ANIM, NULL, "\n11 5.09 } frame 0 { 1 }\n\x01\xFF\"" }
};

/* Does not compile if M5_FLAWS is wrong. */
extern int m5_flaws_are_counted[sizeof m5_flaws / sizeof m5_flaws[0] == M5_FLAWS ? 1 : -1];

/* Finds the start of the first line that begins with `key` after spaces; returns the end of the text if
   there is none. */
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
    if (flaw->kind == M5_MESH) m5_arm_mesh(&base, 0);
    else m5_arm_anim(&base, M5_WAVE, 0);
    size_t start = flaw->key ? m5_find_line(&base, flaw->key) : base.size, end = base.size;
    if (flaw->key && start == end) abort(); /* the key was not found */
    m5_put_bytes(out, base.bytes, start);
    if (flaw->replacement) {
        end = start + strcspn(base.bytes + start, "\n");
        m5_put_text(out, flaw->replacement);
    }
    m5_put_bytes(out, base.bytes + end, base.size - end);
    m5_free(&base);
}

/* -- All models, by number ------------------------------------------------- */

m5_entry m5_make(int index, m5_text *out)
{
    m5_entry        entry = { "", index < M5_STYLES ? M5_MESH : M5_ANIM };
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
    } else if (index >= M5_ARMS) {
        int listed[M5_TREE_JOINTS];
        m5_list_root_last(listed);
        name = "tree_root_last";
        entry.kind = index == M5_ARMS ? M5_MESH : M5_ANIM;
        if (entry.kind == M5_MESH) m5_tree_mesh(out, listed);
        else m5_tree_anim(out, listed);
    } else {
        const m5_flaw *flaw = &m5_flaws[index - M5_WHOLE_MODELS];
        name = flaw->name;
        entry.kind = flaw->kind;
        m5_flawed(flaw, out);
    }
    snprintf(entry.name, sizeof entry.name, "%s%s", prefix, name);
    return entry;
}
