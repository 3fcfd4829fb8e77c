/* test_scenes.c - generated scenes of glTF, and what MD5 and MD2 are made of them. Public domain. */
#include "test_convert.h"
#include "trees.h"
#include "from_scene.h"

/* -- Writing a .glb ---------------------------------------------------------------------------- */

typedef struct glb_text {             /* all zero is empty */
    blob     accessors, views, binary;
    uint32_t count;                   /* of accessors */
} glb_text;

/* Saves the scene; `rest` is all but its asset and its buffers. */
static void save_glb(const char *path, glb_text *g, const char *rest)
{
    blob json = { NULL, 0, 0 }, file = { NULL, 0, 0 };
    put_text(&json, "{\"asset\":{\"version\":\"2.0\"},");
    put_text(&json, rest);
    if (g->count > 0) {
        put_format(&json, ",\"buffers\":[{\"byteLength\":%u}],\"bufferViews\":[", (unsigned)g->binary.size);
        put(&json, g->views.data, g->views.size);
        put_text(&json, "],\"accessors\":[");
        put(&json, g->accessors.data, g->accessors.size);
        put_text(&json, "]");
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
    free_blob(&g->binary);
    memset(g, 0, sizeof *g);
}

/* -- Only files below the folder --------------------------------------------------------------- */

typedef struct link_case {
    const char *tree;                 /* see make_tree; the scene is scenes/in/scene.gltf */
    const char *uri;                  /* of its picture */
    const char *problem;              /* "": it is read */
} link_case;

#define ABOVE "is not below the folder"
#define LINK  "is a link that leads out of the folder"

static const link_case link_cases[] = {
    { "in/ in/a.png=x", "a.png", "" },
    { "in/ in/a.png=x", "b.png", "is not there" },
    { "in/ in/a/ in/a/b.png=x", "a/b.png", "" },
    { "in/ in/a/ in/b.png=x", "a/../b.png", "" },
    { "in/ in/a/ in/b.png=x", "./a/.././b.png", "" },
    { "in/ in/a.png=x", "%61.png", "" },
    { "in/ in/..a=x", "..a", "" },

    /* above the folder, also where the path comes back */
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

    /* links that lead out of it */
    { "in/ secret.png=x in/a.png>../secret.png", "a.png", LINK },
    { "in/ x/ x/secret.png=x in/a>../x", "a/secret.png", LINK },
    { "in/ x/ x/secret.png=x in/a>../x in/b>a", "b/secret.png", LINK },
    { "in/ secret.png=x in/a/ in/a/up>../..", "a/up/secret.png", LINK },
    { "in/ inside/ inside/b.png=x in/a.png>../inside/b.png", "a.png", LINK },
    { "in/ in/a.png>/etc/passwd", "a.png", LINK },

    /* and links within */
    { "in/ in/a/ in/a/b.png=x in/b.png>a/b.png", "b.png", "" },
    { "in/ in/a/ in/b.png=x in/a/up>..", "a/up/b.png", "" },

    /* what is no file */
    { "in/ in/a/", "a", "is no file" },
    { "in/ in/a|", "a", "is no file" },
};

/* With a picture that is none: a file that is read is reported as such. */
static void test_files_below(void)
{
    char *path = join_path("", of_folder("scenes"), "");
    char *model = join_path("", of_folder("scenes/in/scene.gltf"), "");
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
        CHECK(strstr(reported(), c->problem[0] ? c->problem : "\"p\" is no picture") != NULL);
        free_scene(s);
        free_blob(&rest);
    }
    remove_tree(path);
    release(path);
    release(model);
}

void test_scenes(void)
{
    check_chapter("scenes");
    RUN(test_files_below, "no file is read outside of the folder of a .gltf, however a path leads there");
}
