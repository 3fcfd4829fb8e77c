/* test_scenes.c - converts generated glTF scenes to MD5 and MD2. Public domain. */
#include "test_convert.h"
#include "trees.h"
#include "from_scene.h"

/* -- Writing a .glb ---------------------------------------------------------------------------- */

typedef struct glb_text {             /* a .glb under construction; all zeros = empty */
    blob     accessors, views, pictures, binary;
    uint32_t count, view_count;       /* numbers of accessors and of views */
} glb_text;

enum { WORDS = 5125, FLOATS = 5126 };

static void add_view(glb_text *g, const void *data, size_t size)
{
    put_format(&g->views, "%s{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}",
               g->view_count > 0 ? "," : "", (unsigned)g->binary.size, (unsigned)size);
    put(&g->binary, data, size);
    while (g->binary.size % 4 != 0) put_byte(&g->binary, 0);
    ++g->view_count;
}

/* Adds an accessor of numbers that have four bytes each. */
static void add_numbers(glb_text *g, const char *type, int component, const void *numbers,
                        uint32_t count, uint32_t width)
{
    put_format(&g->accessors, "%s{\"bufferView\":%u,\"componentType\":%d,\"type\":\"%s\",\"count\":%u}",
               g->count > 0 ? "," : "", (unsigned)g->view_count, component, type, (unsigned)count);
    add_view(g, numbers, 4 * (size_t)count * width);
    ++g->count;
}

static void add_picture(glb_text *g, const pixels *p)
{
    blob file = encode_pixels(p);
    put_format(&g->pictures, "%s{\"bufferView\":%u,\"mimeType\":\"image/png\"}",
               g->pictures.size > 0 ? "," : "", (unsigned)g->view_count);
    add_view(g, file.data, file.size);
    free_blob(&file);
}

static void put_list(blob *json, const char *name, const blob *items)
{
    if (items->size == 0) return;
    put_format(json, ",\"%s\":[", name);
    put(json, items->data, items->size);
    put_text(json, "]");
}

/* Saves the scene. `rest` is its JSON text without the asset, the buffers and the pictures. */
static void save_glb(const char *path, glb_text *g, const char *rest)
{
    blob json = { NULL, 0, 0 }, file = { NULL, 0, 0 };
    put_text(&json, "{\"asset\":{\"version\":\"2.0\"},");
    put_text(&json, rest);
    put_list(&json, "images", &g->pictures);
    put_list(&json, "bufferViews", &g->views);
    put_list(&json, "accessors", &g->accessors);
    if (g->binary.size > 0) {
        put_format(&json, ",\"buffers\":[{\"byteLength\":%u}]", (unsigned)g->binary.size);
    }
    put_text(&json, "}");
    while (json.size % 4 != 0) put_text(&json, " ");

    put_text(&file, "glTF");
    put_u32(&file, 2);
    put_u32(&file, (uint32_t)(12 + 8 + json.size + 8 + g->binary.size));
    put_u32(&file, (uint32_t)json.size);
    put_text(&file, "JSON");
    put(&file, json.data, json.size);
    put_u32(&file, (uint32_t)g->binary.size);
    put(&file, "BIN", 4);
    put(&file, g->binary.data, g->binary.size);
    save(path, &file);
    free_blob(&json);
    free_blob(&g->accessors);
    free_blob(&g->views);
    free_blob(&g->pictures);
    free_blob(&g->binary);
    memset(g, 0, sizeof *g);
}

/* -- Only files below the folder --------------------------------------------------------------- */

typedef struct link_case {
    const char *tree;                 /* see make_tree; the scene is scenes/in/scene.gltf */
    const char *uri;                  /* path of the picture in the scene */
    const char *problem;              /* part of the message; "" = the picture is read */
} link_case;

#define ABOVE "is not below the folder"
#define LINK  "is a link that leads out of the folder"

static const link_case link_cases[] = {
    { "in/ in/a.png=x", "a.png", "" },
    { "in/ in/a.png=x", "b.png", "does not exist" },
    { "in/ in/a/ in/a/b.png=x", "a/b.png", "" },
    { "in/ in/a/ in/b.png=x", "a/../b.png", "" },
    { "in/ in/a/ in/b.png=x", "./a/.././b.png", "" },
    { "in/ in/a.png=x", "%61.png", "" },
    { "in/ in/..a=x", "..a", "" },

    /* paths out of the folder, even if they lead back */
    { "in/ secret.png=x", "../secret.png", ABOVE },
    { "in/ x/ x/secret.png=x", "../x/secret.png", ABOVE },
    { "in/ in/a/ x/ x/y.png=x", "a/../../x/y.png", ABOVE },
    { "in/ in/a.png=x", "../in/a.png", ABOVE },
    { "in/ x/ x/secret.png=x", "%2e%2e/x/secret.png", ABOVE },
    { "in/ x/ x/secret.png=x", "..\\x\\secret.png", ABOVE },
    { "in/", "/etc/passwd", ABOVE },
    { "in/", "\\\\server\\secret.png", ABOVE },
    { "in/", "c:secret.png", ABOVE },
    { "in/", "..", ABOVE },
    { "in/", ".", ABOVE },
    { "in/", "file:///etc/passwd", ABOVE },

    /* links out of the folder */
    { "in/ secret.png=x in/a.png>../secret.png", "a.png", LINK },
    { "in/ x/ x/secret.png=x in/a>../x", "a/secret.png", LINK },
    { "in/ x/ x/secret.png=x in/a>../x in/b>a", "b/secret.png", LINK },
    { "in/ secret.png=x in/a/ in/a/up>../..", "a/up/secret.png", LINK },
    { "in/ inside/ inside/b.png=x in/a.png>../inside/b.png", "a.png", LINK },
    { "in/ in/a.png>/etc/passwd", "a.png", LINK },

    /* links inside the folder */
    { "in/ in/a/ in/a/b.png=x in/b.png>a/b.png", "b.png", "" },
    { "in/ in/a/ in/b.png=x in/a/up>..", "a/up/b.png", "" },

    /* folders and fifos */
    { "in/ in/a/", "a", "is not a regular file" },
    { "in/ in/a|", "a", "is not a regular file" },
};

/* The file at the path contains "x": if it is read, a message says that it is not a picture. */
static void test_files_below(void)
{
    char *path = copy_text(of_folder("scenes"));
    char *model = copy_text(of_folder("scenes/in/scene.gltf"));
    for (int i = 0; i < COUNT(link_cases); ++i) {
        const link_case *c = &link_cases[i];
        blob             rest = { NULL, 0, 0 };
        glb_text         g;
        check_scene("%s: %s", c->tree, c->uri);
        memset(&g, 0, sizeof g);
        make_tree(path, c->tree);
        put_text(&rest, "\"images\":[{\"name\":\"p\",\"uri\":");
        put_json_string(&rest, c->uri);
        put_text(&rest, "}]");
        put_byte(&rest, 0);
        save_glb(model, &g, (const char *)rest.data);

        forget_reported();
        scene *s = read_scene(model, false);
        CHECK(s != NULL);
        CHECK(strstr(reported(), c->problem[0] ? c->problem : "\"p\" is not a picture") != NULL);
        free_scene(s);
        free_blob(&rest);
    }
    remove_tree(path);
    release(path);
    release(model);
}

/* -- Pictures ---------------------------------------------------------------------------------- */

typedef struct texture_case {
    const char *what, *material;      /* `material`: its members after the name */
    uint8_t     texel[4];             /* every texel of the picture */
    uint8_t     wanted[4];            /* every texel of the texture */
} texture_case;

#define TEXTURE "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}"
#define TEXTURE_IN(r, g, b, a) "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}," \
                               "\"baseColorFactor\":[" #r "," #g "," #b "," #a "]}"
#define MASK(cutoff) ",\"alphaMode\":\"MASK\",\"alphaCutoff\":" #cutoff

static const texture_case texture_cases[] = {
    { "opaque", TEXTURE, { 10, 20, 30, 255 }, { 10, 20, 30, 255 } },
    { "opaque hides alpha", TEXTURE, { 10, 20, 30, 40 }, { 10, 20, 30, 255 } },
    { "blended", TEXTURE ",\"alphaMode\":\"BLEND\"", { 10, 20, 30, 40 }, { 10, 20, 30, 40 } },
    { "in color", TEXTURE_IN(0.2158605, 1, 0, 1), { 255, 128, 255, 255 }, { 128, 128, 0, 255 } },

    /* Engines hide texels with an alpha below 0.5, so an alpha at the cutoff becomes 0.5. */
    { "cut at a half", TEXTURE MASK(0.5), { 1, 2, 3, 100 }, { 1, 2, 3, 100 } },
    { "below the cutoff", TEXTURE MASK(0.7), { 1, 2, 3, 170 }, { 1, 2, 3, 120 } },
    { "far below", TEXTURE MASK(0.7), { 1, 2, 3, 17 }, { 1, 2, 3, 12 } },
    { "above the cutoff", TEXTURE MASK(0.7), { 1, 2, 3, 200 }, { 1, 2, 3, 163 } },
    { "above a low cutoff", TEXTURE MASK(0.3), { 1, 2, 3, 90 }, { 1, 2, 3, 137 } },
    { "below a low cutoff", TEXTURE MASK(0.3), { 1, 2, 3, 70 }, { 1, 2, 3, 116 } },
    { "alpha of both", TEXTURE_IN(1, 1, 1, 0.5) MASK(0.7), { 1, 2, 3, 255 }, { 1, 2, 3, 90 } },
};

static pixels plain_pixels(uint32_t width, uint32_t height, const uint8_t texel[4])
{
    pixels p = make_pixels(width, height);
    for (size_t i = 0; i < (size_t)width * height; ++i) memcpy(p.rgba + 4 * i, texel, 4);
    return p;
}

/* Saves a scene with a triangle for each material. Each material may use both pictures. */
static void save_triangles(const char *path, glb_text *g, const char *const *materials, int count)
{
    static const float    positions[9] = { 0, 0, 0, 1, 0, 0, 0, 1, 0 };
    static const float    texcoords[6] = { 0, 0, 1, 0, 0, 1 };
    static const uint32_t corners[3] = { 0, 1, 2 };
    blob                  rest = { NULL, 0, 0 };
    add_numbers(g, "VEC3", FLOATS, positions, 3, 3);
    add_numbers(g, "VEC2", FLOATS, texcoords, 3, 2);
    add_numbers(g, "SCALAR", WORDS, corners, 3, 1);
    put_text(&rest, "\"textures\":[{\"source\":0},{\"source\":1}],\"nodes\":[{\"mesh\":0}],\"materials\":[");
    for (int i = 0; i < count; ++i) {
        put_format(&rest, "%s{\"name\":\"m%d\",", i > 0 ? "," : "", i);
        put_text(&rest, materials[i]);
        put_text(&rest, "}");
    }
    put_text(&rest, "],\"meshes\":[{\"primitives\":[");
    for (int i = 0; i < count; ++i) {
        put_format(&rest, "%s{\"material\":%d,\"indices\":2,\"attributes\":{\"POSITION\":0,"
                   "\"TEXCOORD_0\":1}}", i > 0 ? "," : "", i);
    }
    put_text(&rest, "]}]");
    put_byte(&rest, 0);
    save_glb(path, g, (const char *)rest.data);
    free_blob(&rest);
}

static outputs convert_scene(const char *model, const char *output,
                             bool (*convert)(const convert_request *request, outputs *o))
{
    outputs         o = { NULL, 0, 0, { 0, 0, 0 } };
    convert_request request = make_request(model, output);
    request.scale = METERS_PER_UNIT;  /* a meter becomes a unit */
    forget_reported();
    CHECK(convert(&request, &o));
    return o;
}

/* Returns the pixels of an output picture; NULL pixels if it is missing. */
static pixels output_pixels(const outputs *o, const char *path)
{
    pixels      p = { NULL, 0, 0 };
    const blob *file = find_output(o, path);
    if (CHECK(file != NULL)) CHECK(decode_pixels(file, &p) == NULL);
    return p;
}

/* A picture that cannot be decoded is copied, even if its material should change it. */
static void test_damaged_picture(void)
{
    static const char *const materials[] = { TEXTURE, TEXTURE_IN(0.5, 1, 1, 1), TEXTURE MASK(0.7) };
    const uint8_t            gray[4] = { 9, 9, 9, 99 };
    const char              *model = of_folder("texture.glb");
    glb_text                 g;
    pixels                   p = plain_pixels(3, 2, gray);
    blob                     file = encode_pixels(&p);
    memset(&g, 0, sizeof g);
    put_format(&g.pictures, "{\"bufferView\":0,\"mimeType\":\"image/png\"}");
    add_view(&g, file.data, file.size - 4);
    save_triangles(model, &g, materials, 3);
    outputs o = convert_scene(model, "new.md5mesh", scene_to_md5);
    const blob *copy = find_output(&o, "m0.png");
    CHECK(copy && copy->size == file.size - 4 && memcmp(copy->data, file.data, copy->size) == 0);
    CHECK(strstr(reported(), "is copied unchanged, without the changes") != NULL);
    release(p.rgba);
    free_blob(&file);
    free_outputs(&o);
    remove_file(model);
}

static void test_textures(void)
{
    for (int i = 0; i < COUNT(texture_cases); ++i) {
        const texture_case *c = &texture_cases[i];
        const char       *model = of_folder("texture.glb");
        pixels            p = plain_pixels(3, 2, c->texel);
        glb_text          g;
        memset(&g, 0, sizeof g);
        check_scene("%s", c->what);
        add_picture(&g, &p);
        add_picture(&g, &p);
        save_triangles(model, &g, &c->material, 1);
        release(p.rgba);

        outputs o = convert_scene(model, "new.md5mesh", scene_to_md5);
        p = output_pixels(&o, "m0.png");
        CHECK_EQ(p.width, 3);
        CHECK_EQ(p.height, 2);
        for (int k = 0; k < 4 && p.rgba; ++k) CHECK_EQ(p.rgba[4 + k], c->wanted[k]);
        release(p.rgba);
        free_outputs(&o);
        remove_file(model);
    }
}

/* The base picture has 4 by 2 texels, whose red is 60 * x. The emission picture has 2 by 8 texels, whose green is
   30 * y + 15 * x. */
static void test_shapes_of_pictures(void)
{
    static const char *const lit = "\"emissiveFactor\":[1,1,1],\"emissiveTexture\":{\"index\":1}," TEXTURE;
    const char              *model = of_folder("texture.glb");
    const uint8_t            black[4] = { 0, 0, 0, 255 };
    pixels                   base = plain_pixels(4, 2, black), glow = plain_pixels(2, 8, black);
    glb_text                 g;
    memset(&g, 0, sizeof g);
    for (uint32_t i = 0; i < 8; ++i) base.rgba[4 * i] = (uint8_t)(60 * (i % 4));
    for (uint32_t i = 0; i < 16; ++i) glow.rgba[4 * i + 1] = (uint8_t)(30 * (i / 2) + 15 * (i % 2));
    add_picture(&g, &base);
    add_picture(&g, &glow);
    save_triangles(model, &g, &lit, 1);
    outputs o = convert_scene(model, "new.md5mesh", scene_to_md5);
    pixels  p = output_pixels(&o, "m0.png");
    CHECK_EQ(p.width, 4);
    CHECK_EQ(p.height, 8);
    for (uint32_t y = 0; y < p.height; ++y) {
        for (uint32_t x = 0; x < p.width; ++x) {
            const uint8_t *texel = p.rgba + 4 * (y * p.width + x);
            CHECK_EQ(texel[0], 60 * x);
            CHECK_EQ(texel[1], 30 * y + 15 * (x / 2));
        }
    }
    release(base.rgba);
    release(glow.rgba);
    release(p.rgba);
    free_outputs(&o);
    remove_file(model);
}

/* Forty materials have twenty colors and two equal pictures of 4,096 by 512. They get twenty textures, which together
   have no more pixels than four pictures of 4,096 by 4,096. */
static void test_many_textures(void)
{
    enum { MATERIALS = 40, WIDE = 4096, HIGH = 512 };
    static char       texts[MATERIALS][160];
    const char       *materials[MATERIALS], *model = of_folder("texture.glb");
    const uint8_t     white[4] = { 255, 255, 255, 255 };
    pixels            picture = plain_pixels(WIDE, HIGH, white);
    glb_text          g;
    uint32_t          pictures = 0;
    uint64_t          total = 0;
    memset(&g, 0, sizeof g);
    for (size_t i = 0; i < (size_t)WIDE * HIGH; i += 5) picture.rgba[4 * i] = 0;
    for (int i = 0; i < MATERIALS; ++i) {
        snprintf(texts[i], sizeof texts[i], "\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":%d},"
                 "\"baseColorFactor\":[0.5,0,%g,1]}", i % 2, i / 2 / 40.0);
        materials[i] = texts[i];
    }
    add_picture(&g, &picture);
    add_picture(&g, &picture);
    save_triangles(model, &g, materials, MATERIALS);
    release(picture.rgba);
    outputs o = convert_scene(model, "new.md5mesh", scene_to_md5);
    for (uint32_t i = 0; i < o.count; ++i) {
        uint32_t width = 0, height = 0;
        measure_picture(&o.list[i].file, &width, &height);
        total += (uint64_t)width * height;
        if (width > 0) ++pictures;
    }
    CHECK_EQ(pictures, MATERIALS / 2);
    CHECK(total >= (uint64_t)16 << 20 && total <= (uint64_t)64 << 20);
    CHECK(strstr(reported(), "40 pictures that materials change are halved") != NULL);
    free_outputs(&o);
    remove_file(model);
}

/* A texel of a halved picture is the mean of two texels in linear light. Transparent texels add no color. */
static void test_shrinking(void)
{
    const uint8_t texels[16] = { 255, 0, 0, 255, 0, 0, 255, 0, 255, 255, 255, 255, 0, 0, 0, 255 };
    pixels        p = make_pixels(4, 1);
    memcpy(p.rgba, texels, sizeof texels);
    shrink_pixels(&p, 3);
    CHECK_EQ(p.width, 2);
    CHECK_EQ(p.height, 1);
    const uint8_t wanted[8] = { 255, 0, 0, 128, 188, 188, 188, 255 };
    for (int i = 0; i < 8; ++i) CHECK_EQ(p.rgba[i], wanted[i]);
    release(p.rgba);

    const uint8_t column[12] = { 7, 7, 7, 255, 7, 7, 7, 255, 9, 8, 7, 255 };
    p = make_pixels(1, 3);
    memcpy(p.rgba, column, sizeof column);
    shrink_pixels(&p, 2);
    CHECK_EQ(p.width, 1);
    CHECK_EQ(p.height, 2);
    CHECK(memcmp(p.rgba, column, 4) == 0 && memcmp(p.rgba + 4, column + 8, 4) == 0);
    release(p.rgba);
}

/* -- Meshes that are left out ------------------------------------------------------------------ */

typedef struct without_case {
    const char *without[2];
    const char *left;                 /* shaders of the remaining meshes; "" = an error */
    const char *error;
} without_case;

/* The model has the meshes m0, part2/m0 and part3/m0. */
static const without_case without_cases[] = {
    { { NULL, NULL }, "m0 part2/m0 part3/m0", "" },
    { { "m0", NULL }, "part2/m0 part3/m0", "" },
    { { "part2/m0", NULL }, "m0 part3/m0", "" },
    { { "part3/m0", "m0" }, "part2/m0", "" },
    { { "m0", "m0" }, "", "m0: no mesh has this name" },
    { { "part2/m0", "part2/m0" }, "", "part2/m0: no mesh has this name" },
    { { "m1", NULL }, "", "m1: no mesh has this name" },
};

static void test_without(void)
{
    static const char *const materials[3] = { TEXTURE, TEXTURE, TEXTURE };
    const uint8_t            gray[4] = { 9, 9, 9, 255 };
    char                    *path = copy_text(of_folder("parts.md5mesh"));
    char                    *model = copy_text(of_folder("parts.glb"));
    pixels                   p = plain_pixels(2, 2, gray);
    glb_text                 g;
    memset(&g, 0, sizeof g);
    add_picture(&g, &p);
    release(p.rgba);
    save_triangles(model, &g, materials, 3);
    outputs o = convert_scene(model, path, scene_to_md5);
    CHECK(write_outputs(&o, true));
    free_outputs(&o);

    for (int i = 0; i < COUNT(without_cases); ++i) {
        const without_case *c = &without_cases[i];
        const char         *names[2] = { c->without[0], c->without[1] };
        convert_request     request = make_request(path, "new.md5mesh");
        char                text[64] = "";
        check_scene("without %s, %s", names[0] ? names[0] : "any", names[1] ? names[1] : "no other");
        request.without = names;
        while (request.without_count < 2 && names[request.without_count]) ++request.without_count;
        memset(&o, 0, sizeof o);
        forget_reported();
        CHECK(md5_to_md5(&request, &o) == !c->error[0]);
        CHECK(strstr(reported(), c->error) != NULL);
        md5_model *left = c->left[0] ? read_md5mesh(&o, "new.md5mesh") : NULL;
        for (uint32_t k = 0; left && k < left->mesh_count; ++k) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? " " : "", left->meshes[k].shader);
        }
        CHECK_TEXT(text, c->left);
        md5_free_model(left);
        free_outputs(&o);
    }
    remove_file(path);
    remove_file(model);
    remove_file(of_folder("m0.png"));
    release(path);
    release(model);
}

/* -- Animations of another file ---------------------------------------------------------------- */

/* A figure has four joints: the arm is above the root, the hand is to the left of the arm, the tip is in front of the
   hand. */
enum { JOINTS = 4 };

typedef struct figure {
    double      lengths[JOINTS];      /* distances of the joints from their parents; 0 for the root */
    const char *more[JOINTS];         /* members of the node that replace the translation; or NULL */
    const char *nodes;                /* additional nodes from index 5, each with a comma; or "" */
    const char *top;                  /* the nodes of the scene */
    const char *channels, *samplers;  /* parts of its animation; NULL = no animation, but a mesh */
    bool        has_skin;
} figure;

typedef struct pose_case {
    const char *what;
    figure      target, source;
    double      hand[3], tip[3];      /* positions at the end of the animation, in the axes of glTF */
    const char *message;
    const char *output, *text;        /* a text that an output contains; or NULL */
} pose_case;

#define TARGET(...)          { { 0, 1, 1, 1 }, { __VA_ARGS__ }, "", "0,1", NULL, NULL, true }
#define LENGTHS(arm, hand)  { 0, arm, hand, arm }
#define CHANNEL(node, path, sampler) \
    "{\"target\":{\"node\":" #node ",\"path\":\"" path "\"},\"sampler\":" #sampler "}"
#define SAMPLER(accessor) "{\"input\":0,\"output\":" #accessor "}"

/* Samplers for each figure. Accessor 0 has the times 0 and 1. */
#define TURN      SAMPLER(1)          /* a rotation by 90 degrees about Z: left becomes up */
#define TURN_BACK SAMPLER(2)
#define FAR       SAMPLER(3)          /* a translation by 2 to the left */
#define GROW      SAMPLER(4)          /* a scale from 2 to 4 */

#define SAME_BONES  "its bones are those of"
#define OTHER_BONES "by names: each joint of"

static const pose_case pose_cases[] = {
    { "the same bones", TARGET(NULL), { LENGTHS(1, 1), { NULL }, "", "1", CHANNEL(2, "rotation", 0), TURN, false },
      { 0, 2, 0 }, { 0, 2, 1 }, SAME_BONES, NULL, NULL },
    { "bones twice as long", TARGET(NULL),
      { LENGTHS(2, 2), { NULL }, "", "1", CHANNEL(2, "rotation", 0), TURN, false },
      { 0, 2, 0 }, { 0, 2, 1 }, OTHER_BONES, NULL, NULL },

    /* Two of three bones are equal, but nine of ten must be. If the animation were copied, the hand would be twice as
       far away. */
    { "one other bone", TARGET(NULL),
      { LENGTHS(1, 2), { NULL }, "", "1", CHANNEL(2, "rotation", 0) "," CHANNEL(3, "translation", 1),
        TURN "," FAR, false },
      { 0, 2, 0 }, { 0, 2, 1 }, OTHER_BONES, NULL, NULL },

    /* The first node with a name counts, and a mesh with the name of a joint does not count. */
    { "two nodes of the source with one name", TARGET(NULL),
      { LENGTHS(1, 1), { NULL }, "{\"name\":\"arm\"},", "1,5",
        CHANNEL(2, "rotation", 0) "," CHANNEL(5, "rotation", 1), TURN "," TURN_BACK, false },
      { 0, 2, 0 }, { 0, 2, 1 }, SAME_BONES, NULL, NULL },
    { "two nodes of the target with one name",
      { { 0, 1, 1, 1 }, { NULL }, "{\"name\":\"arm\"},", "0,1,5", NULL, NULL, true },
      { LENGTHS(1, 1), { NULL }, "", "1", CHANNEL(2, "rotation", 0), TURN, false },
      { 0, 2, 0 }, { 0, 2, 1 }, SAME_BONES, NULL, NULL },

    /* The arm is rotated by 60 degrees in the nodes, but straight in a skin that no mesh uses. */
    { "a skin without a mesh", TARGET(NULL),
      { LENGTHS(2, 2), { NULL, "\"translation\":[0,2,0],\"rotation\":[0.5,0,0,0.8660254]", NULL, NULL },
        "{\"name\":\"top\",\"children\":[1],\"rotation\":[0,0.7071068,0,0.7071068]},", "5",
        CHANNEL(2, "rotation", 0), TURN, true },
      { 0, 2, 0 }, { 0, 2, 1 }, "is in its skin", NULL, NULL },

    /* Scales are copied from the same bones, and left out otherwise. */
    { "a scale of the same bones", TARGET(NULL),
      { LENGTHS(1, 1), { NULL }, "", "1", CHANNEL(2, "scale", 0), GROW, false },
      { 4, 1, 0 }, { 4, 1, 4 }, SAME_BONES, "act.md5scale", "\"10\": 4 }" },
    { "a scale of other bones", TARGET(NULL, "\"translation\":[0,1,0],\"scale\":[3,3,3]", NULL, NULL),
      { LENGTHS(2, 2), { NULL, "\"translation\":[0,2,0],\"scale\":[2,2,2]", NULL, NULL }, "", "1",
        CHANNEL(2, "scale", 0), GROW, false },
      { 3, 1, 0 }, { 3, 1, 3 }, OTHER_BONES, NULL, NULL },

    /* Channels that the animation does not change keep the values of the target's matrix, which mirrors. */
    { "a matrix that mirrors", TARGET(NULL, "\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]", NULL, NULL),
      { LENGTHS(1, 1), { NULL }, "", "1", CHANNEL(2, "rotation", 0), TURN, false },
      { 0, 0, 0 }, { 0, 0, -1 }, SAME_BONES, NULL, NULL },
    { "a matrix", TARGET(NULL, "\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]", NULL, NULL),
      { LENGTHS(1, 1), { NULL }, "", "1", CHANNEL(2, "rotation", 0), TURN, false },
      { 0, 2, 0 }, { 0, 2, 1 }, SAME_BONES, NULL, NULL },
};

static const char *const joint_names[JOINTS] = { "root", "arm", "hand", "tip" };
static const int         bone_axes[JOINTS] = { 0, 1, 0, 2 };

static void put_joint(blob *rest, const figure *f, int joint)
{
    double at[3] = { 0, 0, 0 };
    if (joint > 0) at[bone_axes[joint]] = f->lengths[joint];
    put_format(rest, "{\"name\":\"%s\",", joint_names[joint]);
    if (joint + 1 < JOINTS) put_format(rest, "\"children\":[%d],", joint + 2);
    if (f->more[joint]) put_text(rest, f->more[joint]);
    else put_format(rest, "\"translation\":[%g,%g,%g]", at[0], at[1], at[2]);
    put_text(rest, "}");
}

/* Saves a figure. Node 0 has the mesh, if the figure has one; nodes 1 to 4 are the joints. A triangle is attached to
   each joint. */
static void save_figure(const char *path, const figure *f)
{
    static const float times[2] = { 0, 1 };
    static const float rotations[2][8] = { { 0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f },
                                           { 0, 0, 0, 1, 0, 0, -0.70710678f, 0.70710678f } };
    static const float far_away[6] = { 2, 0, 0, 2, 0, 0 }, sizes[6] = { 2, 2, 2, 4, 4, 4 };
    float              bind[JOINTS][16], positions[3 * JOINTS][3], weights[3 * JOINTS][4];
    uint32_t           joints[3 * JOINTS][4];
    double             at[3] = { 0, 0, 0 };
    glb_text           g;
    blob               rest = { NULL, 0, 0 };
    memset(&g, 0, sizeof g);
    memset(bind, 0, sizeof bind);
    memset(weights, 0, sizeof weights);
    memset(joints, 0, sizeof joints);
    for (int i = 0; i < JOINTS; ++i) {
        if (i > 0) at[bone_axes[i]] += f->lengths[i];
        for (int k = 0; k < 4; ++k) bind[i][5 * k] = 1;
        for (int k = 0; k < 3; ++k) bind[i][12 + k] = -(float)at[k];
        for (int corner = 0; corner < 3; ++corner) {
            float *p = positions[3 * i + corner];
            for (int k = 0; k < 3; ++k) p[k] = (float)at[k] + (k == corner ? 0.1f : 0);
            weights[3 * i + corner][0] = 1;
            joints[3 * i + corner][0] = (uint32_t)i;
        }
    }
    add_numbers(&g, "SCALAR", FLOATS, times, 2, 1);
    add_numbers(&g, "VEC4", FLOATS, rotations[0], 2, 4);
    add_numbers(&g, "VEC4", FLOATS, rotations[1], 2, 4);
    add_numbers(&g, "VEC3", FLOATS, far_away, 2, 3);
    add_numbers(&g, "VEC3", FLOATS, sizes, 2, 3);
    add_numbers(&g, "MAT4", FLOATS, bind, JOINTS, 16);
    add_numbers(&g, "VEC3", FLOATS, positions, 3 * JOINTS, 3);
    add_numbers(&g, "VEC4", WORDS, joints, 3 * JOINTS, 4);
    add_numbers(&g, "VEC4", FLOATS, weights, 3 * JOINTS, 4);

    put_format(&rest, "\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[{\"name\":\"%s\"%s}", f->top,
               f->channels ? "other" : "arm", f->channels ? "" : ",\"mesh\":0,\"skin\":0");
    for (int i = 0; i < JOINTS; ++i) {
        put_text(&rest, ",");
        put_joint(&rest, f, i);
    }
    if (f->nodes[0]) put_format(&rest, ",%.*s", (int)strlen(f->nodes) - 1, f->nodes);
    put_text(&rest, "]");
    if (f->has_skin) put_text(&rest, ",\"skins\":[{\"joints\":[1,2,3,4],\"inverseBindMatrices\":5}]");
    if (f->channels) {
        put_format(&rest, ",\"animations\":[{\"name\":\"any\",\"channels\":[%s],", f->channels);
        put_format(&rest, "\"samplers\":[%s]}]", f->samplers);
    } else {
        put_text(&rest, ",\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":6,\"JOINTS_0\":7,"
                 "\"WEIGHTS_0\":8}}]}]");
    }
    put_byte(&rest, 0);
    save_glb(path, &g, (const char *)rest.data);
    free_blob(&rest);
}

/* Checks the position of a joint at the end of the animation. (x, y, z) of glTF is (z, x, y) in an MD5. */
static void check_joint(const outputs *o, const char *name, const double wanted[3])
{
    md5_model  *model = read_md5mesh(o, "new.md5mesh");
    const blob *file = find_output(o, "act.md5anim");
    md5_anim   *anim = file ? md5_load_anim_memory(file->data, file->size, "act", NULL, NULL) : NULL;
    if (CHECK(model && anim && md5_check_anim(model, anim, NULL) == MD5_OK)) {
        md5_xform *pose = (md5_xform *)malloc_or_abort(model->joint_count * sizeof *pose);
        int        joint = md5_find_joint(model, name);
        check_step("%s", name);
        md5_pose_at(model, anim, MD5_ONCE, 1, pose);
        md5_pose_to_model_space(model, pose, pose);
        CHECK_NEAR(pose[joint].position[0], wanted[2], 1e-3);
        CHECK_NEAR(pose[joint].position[1], wanted[0], 1e-3);
        CHECK_NEAR(pose[joint].position[2], wanted[1], 1e-3);
        free(pose);
    }
    md5_free_anim(anim);
    md5_free_model(model);
}

static void test_other_files(void)
{
    char *model = copy_text(of_folder("figure.glb")), *other = copy_text(of_folder("act.glb"));
    anim_source source = { other, KIND_GLTF, NULL, 0 };
    for (int i = 0; i < COUNT(pose_cases); ++i) {
        const pose_case *c = &pose_cases[i];
        outputs          o = { NULL, 0, 0, { 0, 0, 0 } };
        convert_request  request = make_request(model, "new.md5mesh");
        check_scene("%s", c->what);
        save_figure(model, &c->target);
        save_figure(other, &c->source);
        request.scale = METERS_PER_UNIT;
        request.sources = &source;
        request.source_count = 1;
        forget_reported();
        CHECK(scene_to_md5(&request, &o));
        CHECK(strstr(reported(), c->message) != NULL);
        check_joint(&o, "hand", c->hand);
        check_joint(&o, "tip", c->tip);
        if (c->output) {
            const blob *file = find_output(&o, c->output);
            CHECK(file && contains(file, c->text));
        }
        free_outputs(&o);
    }
    remove_file(model);
    remove_file(other);
    release(model);
    release(other);
}

void test_scenes(void)
{
    check_chapter("scenes");
    RUN(test_files_below, "no file outside the folder of a .gltf is read, whatever its path looks like");
    RUN(test_textures, "a picture includes the colors of its material");
    RUN(test_damaged_picture, "a picture that cannot be decoded is copied");
    RUN(test_shapes_of_pictures, "pictures of different shapes cover the same surface");
    RUN(test_many_textures, "a picture that materials show in many colors becomes many smaller pictures");
    RUN(test_without, "--without leaves out the meshes with this name in the file");
    RUN(test_other_files, "joints move like the joints of another file that have the same names");
    RUN(test_shrinking, "a picture is halved without a change in brightness");
}
