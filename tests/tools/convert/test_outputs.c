/* test_outputs.c - mdconvert writes all files or none, and reads only regular files. Public domain. */
#define _XOPEN_SOURCE 700             /* fork, mkfifo, setitimer */
#include "test_convert.h"
#include "trees.h"
#include "../viewer/folder.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* -- All or nothing ---------------------------------------------------------------------------- */

static void add_new(outputs *o, const char *parent, const char *name)
{
    char *path = join_path("", parent, "/"), *all = join_path(path, name, "");
    blob  content = { NULL, 0, 0 };
    put_text(&content, "new");
    add_output(o, all, &content);
    release(path);
    release(all);
}

typedef struct writing_case {
    const char *before;
    const char *outputs;              /* files that get the content "new", in this order */
    bool        force;
    const char *error;                /* part of the message; "" = all files are written */
    const char *after;
} writing_case;

static const writing_case writing_cases[] = {
    { "", "a b", false, "", "a=new b=new" },
    { "", "x/y/z a", false, "", "a=new x/ x/y/ x/y/z=new" },
    { "", "x\\y", false, "", "x\\y=new" },

    /* Files are replaced only with --force. */
    { "a=old", "b a", false, "--force replaces it", "a=old" },
    { "a=old", "b a", true, "", "a=new b=new" },
    { "l>a a=old", "l", true, "", "a=new l>a" },
    { "l>lost", "l", true, "", "l=new" },

    /* A folder or a fifo is never replaced; then no other file is replaced either. */
    { "a=old b/", "a b", true, "is not a regular file", "a=old b/" },
    { "a=old b/", "b a", true, "is not a regular file", "a=old b/" },
    { "a=old p|", "a p", true, "is not a regular file", "a=old p|" },
    { "p|", "a p", false, "is not a regular file", "p|" },

    /* Errors that appear late are undone: the third output needs a folder with the name of the fourth, or vice
       versa. */
    { "a=old b=old", "a b c c/d", true, "cannot be replaced", "a=old b=old" },
    { "a=old", "e a c/d c", true, "cannot be replaced", "a=old" },
    { "a=old", "x/y a/z", true, "a/z: cannot be written", "a=old" },
    { "l>a a=old", "l c c/d", true, "cannot be replaced", "a=old l>a" },
};

static void test_all_or_nothing(void)
{
    const char *path = of_folder("writing");
    for (int i = 0; i < COUNT(writing_cases); ++i) {
        const writing_case *c = &writing_cases[i];
        outputs             o = { NULL, 0, 0, { 0, 0, 0 } };
        char               *names = copy_text(c->outputs);
        check_scene("%s over %s", c->outputs, c->before);
        make_tree(path, c->before);
        for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) add_new(&o, path, name);
        forget_reported();
        CHECK(write_outputs(&o, c->force) == !c->error[0]);
        CHECK(strstr(reported(), c->error) != NULL);
        check_tree(path, c->after);
        free_outputs(&o);
        release(names);
    }
    remove_tree(path);
}

/* -- Signals ----------------------------------------------------------------------------------- */

static const char *watched_folder;

/* Ends the program as soon as there is a temporary file. */
static void end_while_writing(int number)
{
    char path[512];
    (void)number;
    for (int i = 0; i < 256; ++i) {
        snprintf(path, sizeof path, "%s/mdconvert%06d.part", watched_folder, i);
        if (access(path, F_OK) == 0) raise(SIGTERM);
    }
}

/* Writes a large file until a signal ends the process, which is a child of the test. */
static void write_until_signal(const char *path)
{
    enum { SIZE = 96 << 20 };
    const struct itimerval soon = { { 0, 2000 }, { 0, 2000 } };
    outputs                o = { NULL, 0, 0, { 0, 0, 0 } };
    blob                   large = { NULL, 0, 0 };
    struct sigaction       action;
    add_new(&o, path, "a");
    large.data = (uint8_t *)allocate(SIZE, 1);
    large.size = large.room = SIZE;
    char *name = join_path("", path, "/new/large");
    add_output(&o, name, &large);

    memset(&action, 0, sizeof action);
    action.sa_handler = end_while_writing;
    action.sa_flags = SA_RESTART;
    watched_folder = path;
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    write_outputs(&o, true);
    _exit(0);
}

static void test_signal(void)
{
    const char *path = of_folder("writing");
    int         status = 0;
    make_tree(path, "a=old");
    pid_t child = fork();
    if (child == 0) write_until_signal(path);
    if (!CHECK(child > 0) || !CHECK(waitpid(child, &status, 0) == child)) return;
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    check_tree(path, "a=old");
    remove_tree(path);
}

/* -- Names ------------------------------------------------------------------------------------- */

static const struct { const char *name, *wanted; } file_names[] = {
    { "walk", "walk" },         { "", "anim" },             { "a/b\\c:d", "a_b_c_d" },
    { "why?*", "why__" },       { "\"<|>\"", "_____" },     { "a\tb\x7f", "a_b_" },
    { ".", "_" },               { "..", "__" },             { ".hidden", "_hidden" },
    { "walk.", "walk_" },       { "walk ", "walk_" },       { " walk", " walk" },
    { "CON", "_CON" },          { "con", "_con" },          { "nul.old", "_nul.old" },
    { "COM1", "_COM1" },        { "com9.x", "_com9.x" },    { "LPT9", "_LPT9" },
    { "lpt0", "_lpt0" },        { "COM", "COM" },           { "COM10", "COM10" },
    { "COMA", "COMA" },         { "CONE", "CONE" },         { "NUL .x", "_NUL .x" },
    { "PRN  ", "_PRN _" },      { "aux", "_aux" },          { "\xC3\xA4", "\xC3\xA4" },
};

/* Every system accepts the names, and none of them is a device in Windows. */
static void test_file_names(void)
{
    for (int i = 0; i < COUNT(file_names); ++i) {
        check_scene("\"%s\"", file_names[i].name);
        char *name = name_for_file(file_names[i].name, "anim");
        CHECK_TEXT(name, file_names[i].wanted);
        release(name);
    }
}

/* -- Pipes ------------------------------------------------------------------------------------- */

typedef struct pipe_case {
    const char *pipe;                 /* its name, next to the model */
    const char *model, *anim;         /* files of the character */
    bool      (*convert)(const convert_request *request, outputs *o);
    const char *report;
} pipe_case;

static const pipe_case pipe_cases[] = {
    { "weapon.png", "weapon.md2", NULL, md2_to_glb, "note: the skin" },
    { "skin.pcx", "weapon.md2", NULL, md2_to_glb, "note: the skin" },
    { "weapon.png", "weapon.md5mesh", NULL, md5_to_md2, "note: the picture" },
    { "walk.md5scale", "knight.md5mesh", "walk.md5anim", md5_to_md5, "walk.md5scale: is not a regular file" },
};

/* Nothing writes to the pipes, so a program that reads one waits forever. */
static void test_pipes(void)
{
    char *path = copy_text(of_folder("pipes")), *parent = join_path("", path, "/");
    for (int i = 0; i < COUNT(pipe_cases); ++i) {
        const pipe_case *c = &pipe_cases[i];
        const char      *names[2] = { c->model, c->anim }, *copies[2] = { "", "" };
        char            *paths[2] = { NULL, NULL }, *pipe = join_path(parent, c->pipe, "");
        outputs          o = { NULL, 0, 0, { 0, 0, 0 } };
        check_scene("%s next to %s", c->pipe, c->model);
        make_tree(path, "");
        CHECK(mkfifo(pipe, 0600) == 0);
        for (int k = 0; k < 2 && names[k]; ++k) {
            blob file = { NULL, 0, 0 };
            paths[k] = join_path(parent, names[k], "");
            CHECK(read_blob(of_character(names[k]), &file));
            save(paths[k], &file);
            copies[k] = paths[k];
        }
        convert_request request = make_request(copies[0], "new.glb");
        request.anims = copies + 1;
        request.anim_count = c->anim ? 1 : 0;
        forget_reported();
        alarm(20);
        c->convert(&request, &o);
        alarm(0);
        CHECK(strstr(reported(), c->report) != NULL);
        free_outputs(&o);
        for (int k = 0; k < 2; ++k) release(paths[k]);
        release(pipe);
    }
    remove_tree(path);
    release(path);
    release(parent);
}

/* -- Outputs that the headers load ------------------------------------------------------------- */

typedef struct reading_case {
    const char *names[2], *contents[2]; /* output files; `contents` are texts, or files of the character */
    const char *error;
} reading_case;

static const reading_case reading_cases[] = {
    { { "new.md5mesh", "walk.md5anim" }, { "knight.md5mesh", "walk.md5anim" }, "" },
    { { "new.md2", "skin.png" }, { "weapon.md2", "no picture" }, "" },
    { { "new.glb", NULL }, { "any", NULL }, "" },
    { { "new.md2", NULL }, { "IDP2", NULL }, "new.md2 would be rejected by md2.h: " },
    { { "new.md5mesh", NULL }, { "MD5Version 9", NULL }, "new.md5mesh would be rejected by md5.h: " },
    { { "new.md5mesh", "a.md5anim" }, { "knight.md5mesh", "MD5Version 10" },
      "a.md5anim would be rejected by md5.h: " },

    /* an animation that can be loaded, but has another skeleton */
    { { "new.md5mesh", "walk.md5anim" }, { "weapon.md5mesh", "walk.md5anim" },
      "walk.md5anim would be rejected by md5.h: " },
};

static void test_read_back(void)
{
    for (int i = 0; i < COUNT(reading_cases); ++i) {
        const reading_case *c = &reading_cases[i];
        outputs             o = { NULL, 0, 0, { 0, 0, 0 } };
        convert_request     request = make_request("old", c->names[0]);
        check_scene("%s from %s", c->names[0], c->contents[0]);
        for (int k = 0; k < 2 && c->names[k]; ++k) {
            blob content = { NULL, 0, 0 };
            if (!read_blob(of_character(c->contents[k]), &content)) put_text(&content, c->contents[k]);
            add_output(&o, c->names[k], &content);
        }
        o.size[2] = 1000;             /* A .glb keeps this size. */
        forget_reported();
        CHECK(check_outputs(&request, &o) == !c->error[0]);
        CHECK(strstr(reported(), c->error) != NULL);
        bool has_size = o.size[2] > 1 && o.size[2] < 100;
        if (!c->error[0]) CHECK(strstr(c->names[0], ".glb") ? o.size[2] > 999 : has_size);
        free_outputs(&o);
    }
}

/* -- Memory ------------------------------------------------------------------------------------ */

static void read_large(void *path)
{
    blob b = { NULL, 0, 0 };
    if (read_blob((const char *)path, &b)) free_blob(&b);
}

static bool is_loaded;

static void load_knight(void *path)
{
    convert_request request = make_request((const char *)path, "new.md2");
    md2_options     options;
    memset(&options, 0, sizeof options);
    md2_model *model = load_md2(&request, &options, false);
    is_loaded = model != NULL;
    if (is_loaded) allocate(SIZE_MAX / 4, 1);
}

/* Memory that the headers allocate counts toward the limit, and is released when the limit is reached. */
static void test_models_in_memory(void)
{
    void *path = (void *)(uintptr_t)of_character("tris.md2");
    CHECK(within_memory(100000, load_knight, path));
    CHECK(!is_loaded);
    CHECK(!within_memory((size_t)1 << 28, load_knight, path));
    CHECK(is_loaded);
}

/* Fails to read a file more often than a process can have open files. */
static void test_memory_ends(void)
{
    enum { TIMES = 25000, SIZE = 2000 };
    static char       content[SIZE];
    char *path = copy_text(of_folder("large.bin"));
    write_file(path, content, SIZE);
    for (int i = 0; i < TIMES; ++i) CHECK(!within_memory(SIZE / 2, read_large, path));
    CHECK(within_memory(SIZE * 2, read_large, path));
    remove_file(path);
    release(path);
}

void test_outputs(void)
{
    check_chapter("files");
    RUN(test_all_or_nothing, "all files appear or none, and old files stay until the last new file is in place");
    RUN(test_signal, "a signal leaves no incomplete file and keeps the old files");
    RUN(test_pipes, "a pipe is never read");
    RUN(test_read_back, "files that the headers reject are not written");
    RUN(test_file_names, "any name becomes a valid file name, also in Windows");
    RUN(test_models_in_memory, "models count toward the memory limit, and are freed when it is reached");
    RUN(test_memory_ends, "a file is closed if memory runs out while it is read");
}
