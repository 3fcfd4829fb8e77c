/* test_md5_edges.c: the smallest files there can be, each with one thing changed: what loads, what is
   refused, with which words and on which line; and every function at the edge of what it takes. Quick,
   and exact where test_md5 is thorough. Public domain. */
#include "md5.h"

#include "check.h"
#include "models_md5.h"
#include "support.h"

/* -- One thing changed ----------------------------------------------------- */

static const char tiny_mesh[] = "MD5Version 10\n"                  /*  1 */
                                "numJoints 2\n"                    /*  2 */
                                "numMeshes 1\n"                    /*  3 */
                                "joints {\n"                       /*  4 */
                                "\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n"   /*  5 */
                                "\"b\" 0 ( 1 2 3 ) ( 0 0 0 )\n"    /*  6 */
                                "}\n"                              /*  7 */
                                "mesh {\n"                         /*  8 */
                                "shader \"s\"\n"                   /*  9 */
                                "numverts 3\n"                     /* 10 */
                                "vert 0 ( 0 0 ) 0 1\n"             /* 11 */
                                "vert 1 ( 1 0 ) 1 1\n"             /* 12 */
                                "vert 2 ( 0 1 ) 2 1\n"             /* 13 */
                                "numtris 1\n"                      /* 14 */
                                "tri 0 0 2 1\n"                    /* 15 */
                                "numweights 3\n"                   /* 16 */
                                "weight 0 0 1 ( 0 0 0 )\n"         /* 17 */
                                "weight 1 0 1 ( 1 0 0 )\n"         /* 18 */
                                "weight 2 1 1 ( 0 1 0 )\n"         /* 19 */
                                "}\n";                             /* 20 */

static const char tiny_anim[] = "MD5Version 10\n"                  /*  1 */
                                "numFrames 2\n"                    /*  2 */
                                "numJoints 2\n"                    /*  3 */
                                "frameRate 24\n"                   /*  4 */
                                "numAnimatedComponents 3\n"        /*  5 */
                                "hierarchy {\n"                    /*  6 */
                                "\"a\" -1 7 0\n"                   /*  7 */
                                "\"b\" 0 0 0\n"                    /*  8 */
                                "}\n"                              /*  9 */
                                "bounds {\n"                       /* 10 */
                                "( 0 0 0 ) ( 1 1 1 )\n"            /* 11 */
                                "( 0 0 0 ) ( 1 1 1 )\n"            /* 12 */
                                "}\n"                              /* 13 */
                                "baseframe {\n"                    /* 14 */
                                "( 0 0 0 ) ( 0 0 0 )\n"            /* 15 */
                                "( 1 0 0 ) ( 0 0 0 )\n"            /* 16 */
                                "}\n"                              /* 17 */
                                "frame 0 {\n"                      /* 18 */
                                "1 2 3\n"                          /* 19 */
                                "}\n"                              /* 20 */
                                "frame 1 {\n"                      /* 21 */
                                "4 5 6\n"                          /* 22 */
                                "}\n";                             /* 23 */

static double square_of(const float v[3])
{
    return (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2];
}

/* The first `from` is replaced by `to`; where `to` begins with "..." the text ends with what follows
   that. Blocks of exactly the size of the text, so that a sanitizer sees a step too far. */
typedef struct edit {
    const char *from, *to, *message;
    md5_result  code;
    uint32_t    line;
} edit;

static char *edited(const char *base, const char *from, const char *to, size_t *size)
{
    const char *at = strstr(base, from), *rest = at ? at + strlen(from) : NULL;
    size_t      before = at ? (size_t)(at - base) : 0;
    char       *text;
    if (!at) {
        printf("the text has no %s\n", from);
        abort();
    }
    if (strncmp(to, "...", 3) == 0) {
        to += 3;
        rest = "";
    }
    *size = before + strlen(to) + strlen(rest);
    text = (char *)malloc_or_abort(*size);
    memcpy(text, base, before);
    if (*to) memcpy(text + before, to, strlen(to));
    if (*rest) memcpy(text + before + strlen(to), rest, strlen(rest));
    return text;
}

static md5_model *mesh_with(const char *from, const char *to, md5_error *error)
{
    size_t     size;
    char      *text = edited(tiny_mesh, from, to, &size);
    md5_model *model = md5_load_model_memory(text, size, NULL, error);
    free(text);
    return model;
}

static md5_anim *anim_with(const char *from, const char *to, md5_error *error)
{
    size_t    size;
    char     *text = edited(tiny_anim, from, to, &size);
    md5_anim *anim = md5_load_anim_memory(text, size, "tiny", NULL, error);
    free(text);
    return anim;
}

static void check_error(const md5_error *error, md5_result code, uint32_t line, const char *message)
{
    CHECK_TEXT(md5_result_name(error->code), md5_result_name(code));
    CHECK_EQ(error->line, line);
    CHECK_TEXT(error->message, message);
}

static const edit mesh_edits[] = {
{ "MD5Version 10", "MD5Version 10 ", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version 10 // said so", "", MD5_OK, 0 },
    { "MD5Version 10", "/* first */MD5Version/**/10", "", MD5_OK, 0 },
    { "MD5Version 10", "\xEF\xBB\xBF" "MD5Version 10", "", MD5_OK, 0 },
    { "MD5Version 10", "\xEF\xBB" "MD5Version 10",
      "not an MD5: it begins with ??MD5Version instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "MD5Version 10", "md5VERSION 11", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version 12", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version 9", "MD5Version 9 is not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "MD5Version 10", "MD5Version 13", "MD5Version 13 is not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "MD5Version 10", "MD5Version 6",
      "MD5Version 6 is Doom 3's alpha, not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "MD5Version 10", "MD5Version -10",
      "MD5Version -10 is not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "numverts 3", "xnumverts 99999 numverts 3", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version +10", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version -", "expected a whole number, found -", MD5_ERROR_SYNTAX, 1 },
    { "numJoints 2", "numJoints +", "expected a whole number, found +", MD5_ERROR_SYNTAX, 2 },
    { "\"b\" 0", "\"b\" -", "expected a whole number, found -", MD5_ERROR_SYNTAX, 6 },
    { "MD5Version 10", "MD5Version ten",
      "expected a whole number, found ten", MD5_ERROR_SYNTAX, 1 },
    { "MD5Version 10", "MD5Version 10.0",
      "expected a whole number, found 10.0", MD5_ERROR_SYNTAX, 1 },
    { "MD5Version 10", "MD5Version 99999999999999999999999999",
      "MD5Version 99999999999999999999999999 is not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "MD5Version 10", "MD5Version10",
      "not an MD5: it begins with MD5Version10 instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "MD5Version 10", "IDP2",
      "not an MD5: it begins with IDP2 instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "MD5Version 10", "...",
      "not an MD5: it begins with the end of the text instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "MD5Version 10", "...MD5Version /* 10 x",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 1 },
    { "MD5Version 10", "...MD5",
      "not an MD5: it begins with MD instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "MD5Version 10", "...\xEF\xBB\xBF",
      "not an MD5: it begins with the end of the text instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "numJoints 2", "numJoints 2:", "expected a whole number, found 2:", MD5_ERROR_SYNTAX, 2 },
    { "numJoints 2", "numJoints :", "expected a whole number, found :", MD5_ERROR_SYNTAX, 2 },
    { "numJoints 2", "numJoints 2/", "expected a whole number, found 2/", MD5_ERROR_SYNTAX, 2 },
    { "MD5Version 10", "...MD5Version",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 1 },
    { "MD5Version 10", "...MD5Version x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 1 },
    { "numJoints 2", "numJoints 0",
      "joints without a numJoints of 1 or more", MD5_ERROR_SYNTAX, 4 },
    { "numJoints 2", "numJoints -1", "-1 is not a possible count", MD5_ERROR_CORRUPT, 2 },
    { "numJoints 2", "numJoints 3", "expected a name, found }", MD5_ERROR_SYNTAX, 7 },
    { "numJoints 2", "numJoints 1", "expected }, found \"", MD5_ERROR_SYNTAX, 6 },
    { "numJoints 2", "numJoints 18",
      "a count of 18 is too high for a text of 294 bytes: cut short?", MD5_ERROR_CORRUPT, 2 },
    { "numJoints 2", "numJoints 2147483648",
      "2147483648 is not a possible count", MD5_ERROR_CORRUPT, 2 },
    { "numJoints 2", "numJoints 2147483647",
      "a count of 2147483647 is too high for a text of 302 bytes: cut short?", MD5_ERROR_CORRUPT, 2 },
    { "numJoints 2", "numJoints 0x2", "expected a whole number, found 0x2", MD5_ERROR_SYNTAX, 2 },
    { "numJoints 2", "numJoints", "expected a whole number, found numMeshes", MD5_ERROR_SYNTAX, 3 },
    { "numJoints 2", "x", "joints without a numJoints of 1 or more", MD5_ERROR_SYNTAX, 4 },
    { "numMeshes 1", "numMeshes 0", "", MD5_OK, 0 },
    { "numMeshes 1", "numMeshes 2", "", MD5_OK, 0 },
    { "numMeshes 1", "numMeshes -1", "-1 is not a possible count", MD5_ERROR_CORRUPT, 3 },
    { "numMeshes 1", "numMeshes many", "expected a whole number, found many", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "x/y \"}\" z", "", MD5_OK, 0 },
    { "numMeshes 1", "{ { } } ( ) \"{\" x", "", MD5_OK, 0 },
    { "numMeshes 1", "{ {", "the block of { never ends", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "} )", "", MD5_OK, 0 },
    { "numMeshes 1", "\"never ends", "the quotes before never never end", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "numbones 3", "numbones: Doom 3's alpha is not read", MD5_ERROR_VERSION, 3 },
    { "numMeshes 1", "bone 0 {", "bone: Doom 3's alpha is not read", MD5_ERROR_VERSION, 3 },
    { "numMeshes 1", "numchannels 3",
      "numchannels: Doom 3's alpha is not read", MD5_ERROR_VERSION, 3 },
    { "numMeshes 1", "channel 0", "channel: Doom 3's alpha is not read", MD5_ERROR_VERSION, 3 },
    { "numMeshes 1", "numCuts 0", "numCuts: this is a camera", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "hierarchy {",
      "hierarchy: this is an animation, not a model", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "mesh { numverts 0 } mesh { numverts 0 } numMeshes 1", "", MD5_OK, 0 },
    { "numMeshes 1", "commandline unquoted", "", MD5_OK, 0 },
    { "numMeshes 1", "commandline {", "expected a name, found {", MD5_ERROR_SYNTAX, 3 },
    { "numMeshes 1", "commandline \"\"", "", MD5_OK, 0 },
    { "joints {", "joints", "expected {, found \"", MD5_ERROR_SYNTAX, 5 },
    { "joints {", "joints { }", "expected a name, found }", MD5_ERROR_SYNTAX, 4 },
    { "joints {", "x {", "the model has no joints", MD5_ERROR_SYNTAX, 20 },
    { "joints {", "...",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 3 },
    { "joints {", "numJoints 9 joints {", "expected a name, found }", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1", "\"a\" -2",
      "joint \"a\" has the parent -2, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a#$\" -1234",
      "joint \"a#$\" has the parent -1234, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a\" 99999999999999999999",
      "joint \"a\" has the parent 99999999999999999, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a\" 0",
      "joint \"a\" has the parent 0, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a\" 1",
      "joint \"a\" has the parent 1, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a\" x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 5 },
    { "\"a\" -1", "\"0123456789012345678901234567890123456789012345678901234567890123456789\" 5",
      "joint \"01234567890123456789012345678901234567890123456\" has the parent 5, not -1 or one before 0", MD5_ERROR_CORRUPT, 5 },
    { "\"a\" -1", "\"a\n\" -1", "the quotes before a never end", MD5_ERROR_SYNTAX, 5 },
    { "\"a\" -1", "\"a/*\" -1", "", MD5_OK, 0 },
    { "\"a\" -1", "a -1", "", MD5_OK, 0 },
    { "\"a\" -1", "a//b\n-1", "", MD5_OK, 0 },
    { "\"a\" -1", "a/*b*/-1", "", MD5_OK, 0 },
    { "\"a\" -1", "( -1", "expected a name, found (", MD5_ERROR_SYNTAX, 5 },
    { "\"a\" -1", "\"a\"-1", "", MD5_OK, 0 },
    { "\"a\" -1", "\"\" -1", "", MD5_OK, 0 },
    { "\"b\" 0", "\"b\" 1",
      "joint \"b\" has the parent 1, not -1 or one before 1", MD5_ERROR_CORRUPT, 6 },
    { "\"b\" 0", "\"b\" -1", "", MD5_OK, 0 },
    { "\"b\" 0", "\"b\" 2",
      "joint \"b\" has the parent 2, not -1 or one before 1", MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 )", "( 1 2 )", "expected a number, found )", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 3 4 )", "expected ), found 4", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "1 2 3", "expected (, found 1", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "(1 2 3)", "", MD5_OK, 0 },
    { "( 1 2 3 )", "( 1 2 3e )", "expected a number, found 3e", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 3e+ )", "expected a number, found 3e+", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 . )", "expected a number, found .", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 - )", "expected a number, found -", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 +- )", "expected a number, found +-", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 3e38 )", "", MD5_OK, 0 },
    { "( 1 2 3 )", "( 1 2 3.5e38 )", "the number 3.5e38 is too large", MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 )", "( 1 2 -3.5e38 )", "the number -3.5e38 is too large", MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 )", "( 1 2 1e99999999999999999999 )",
      "the number 1e99999999999999999999 is too large", MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 )", "( 1 2 1e-99999999999999999999 )", "", MD5_OK, 0 },
    { "( 1 2 3 )", "( 1 2/* */3 )", "", MD5_OK, 0 },
    { "( 1 2 3 )", "( 1 2//\n3 )", "", MD5_OK, 0 },
    { "( 1 2 3 )", "( 1 2 3x )", "expected a number, found 3x", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 )", "( 1 2 3\"", "expected ), found \"", MD5_ERROR_SYNTAX, 6 },
    { "( 1 2 3 ) ( 0 0 0 )", "( 1 2 3 ) ( 1e18 -1e18 1e18 )", "", MD5_OK, 0 },
    { "( 1 2 3 ) ( 0 0 0 )", "( 1 2 3 ) ( 1.1e18 0 0 )", "joint 1 has a rotation that is none",
      MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 ) ( 0 0 0 )", "( 1 2 3 ) ( 0 -1.1e18 0 )", "joint 1 has a rotation that is none",
      MD5_ERROR_CORRUPT, 6 },
    { "( 1 2 3 ) ( 0 0 0 )", "( 1 2 3 ) ( 0 0 3e38 )", "joint 1 has a rotation that is none",
      MD5_ERROR_CORRUPT, 6 },
    { "( 0 0 0 )\n}\nmesh", "( 0 0 0 )\n}\njoints { } mesh",
      "a second list of joints", MD5_ERROR_SYNTAX, 8 },
    { "}\nmesh {", "numJoints 3\n}\nmesh {", "expected }, found numJoints", MD5_ERROR_SYNTAX, 7 },
    { "}\nmesh {", "}\nnumJoints 3\nmesh {", "", MD5_OK, 0 },
    { "}\nmesh {", "}\njoints {\n}\nmesh {", "a second list of joints", MD5_ERROR_SYNTAX, 8 },
    { "}\nmesh {", "}\nMD5Version 10\nmesh {", "", MD5_OK, 0 },
    { "}\nmesh {", "}\nmesh x", "expected {, found x", MD5_ERROR_SYNTAX, 8 },
    { "mesh {", "meshDisabled {", "", MD5_OK, 0 },
    { "mesh {", "mesh/* { */{", "", MD5_OK, 0 },
    { "mesh {", "mesh { numverts 0 } mesh {", "", MD5_OK, 0 },
    { "mesh {", "mesh {} mesh {", "expected numverts, found }", MD5_ERROR_SYNTAX, 8 },
    { "mesh {", "...mesh {",
      "expected the } of a mesh, found the end of the text", MD5_ERROR_SYNTAX, 8 },
    { "mesh {", "...mesh { /* } */",
      "expected the } of a mesh, found the end of the text", MD5_ERROR_SYNTAX, 8 },
    { "shader \"s\"", "shader s", "", MD5_OK, 0 },
    { "shader \"s\"", "shader", "one vert more than its list was to have", MD5_ERROR_SYNTAX, 11 },
    { "shader \"s\"", "shader {", "expected a name, found {", MD5_ERROR_SYNTAX, 9 },
    { "shader \"s\"", "shader \"s", "the quotes before s never end", MD5_ERROR_SYNTAX, 9 },
    { "shader \"s\"", "shader \"s\" shader \"t\"", "", MD5_OK, 0 },
    { "shader \"s\"", "x/shader \"s\"", "", MD5_OK, 0 },
    { "shader \"s\"", "/* */shader \"s\"", "", MD5_OK, 0 },
    { "shader \"s\"", "// } numverts 9", "", MD5_OK, 0 },
    { "shader \"s\"", "name \"numverts 9 { }\"", "", MD5_OK, 0 },
    { "shader \"s\"", "flags { numverts 9 }", "", MD5_OK, 0 },
    { "shader \"s\"", "flags { numverts 9",
      "expected the } of a mesh, found the end of the text", MD5_ERROR_SYNTAX, 20 },
    { "numverts 3", "numverts 4", "expected vert, found numtris", MD5_ERROR_SYNTAX, 14 },
    { "numverts 3", "numverts 2", "one vert more than its list was to have", MD5_ERROR_SYNTAX, 13 },
    { "numverts 3", "numverts 0", "one vert more than its list was to have", MD5_ERROR_SYNTAX, 11 },
    { "numverts 3", "numverts -3", "-3 is not a possible count", MD5_ERROR_CORRUPT, 10 },
    { "numverts 3", "numverts 99",
      "a count of 99 is too high for a text of 294 bytes: cut short?", MD5_ERROR_CORRUPT, 10 },
    { "numverts 3", "numverts 18", /* with what the joints take */
      "a count of 18 is too high for a text of 294 bytes: cut short?", MD5_ERROR_CORRUPT, 10 },
    { "numverts 3", "numverts x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 10 },
    { "numverts 3", "numverts 3 x", "expected vert, found x", MD5_ERROR_SYNTAX, 10 },
    { "numverts 3", "/* */numverts 3", "", MD5_OK, 0 },
    { "numverts 3", "NumVerts 3", "", MD5_OK, 0 },
    { "numverts 3", "xnumverts 3",
      "one vert more than its list was to have", MD5_ERROR_SYNTAX, 11 },
    { "numverts 3", "numverts3 ", "one vert more than its list was to have", MD5_ERROR_SYNTAX, 11 },
    { "numverts 3\nvert", "numverts 0 numverts 3\nvert",
      "a second numverts in one mesh", MD5_ERROR_SYNTAX, 10 },
    { "vert 1 ( 1 0 ) 1 1", "vert 0 ( 1 0 ) 1 1",
      "vertex 0 is given twice", MD5_ERROR_CORRUPT, 12 },
    { "vert 2", "vert 18446744073709551618",
      "vertex 18446744073709551618 is out of range, there are 3", MD5_ERROR_CORRUPT, 13 },
    { "vert 2", "vert 4294967298", "vertex 4294967298 is out of range, there are 3", MD5_ERROR_CORRUPT, 13 },
    { "vert 2", "vert 0000000000000000000000000002", "", MD5_OK, 0 },
    { "vert 2", "vert 2:", "expected a whole number, found 2:", MD5_ERROR_SYNTAX, 13 },
    { "vert 2", "...vert ", "expected the } of a mesh, found the end of the text", MD5_ERROR_SYNTAX, 13 },
    { "vert 2", "vert 2.0", "expected a whole number, found 2.0", MD5_ERROR_SYNTAX, 13 },
    { "vert 2", "vert 2!", "expected a whole number, found 2!", MD5_ERROR_SYNTAX, 13 },
    { "vert 2", "vert /*\n*/ 9", "vertex 9 is out of range, there are 3", MD5_ERROR_CORRUPT, 14 },
    { "vert 2", "verx 2", "expected vert, found verx", MD5_ERROR_SYNTAX, 13 },
    { "vert 1 ( 1 0 ) 1 1", "vert 3 ( 1 0 ) 1 1",
      "vertex 3 is out of range, there are 3", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert -1 ( 1 0 ) 1 1",
      "vertex -1 is out of range, there are 3", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert +1 ( 1 0 ) 1 1", "", MD5_OK, 0 },
    { "vert 1 ( 1 0 ) 1 1", "vert 0000000001 ( 1 0 ) 1 1", "", MD5_OK, 0 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1( 1 0 )1 1", "", MD5_OK, 0 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1. ( 1 0 ) 1 1",
      "expected a whole number, found 1.", MD5_ERROR_SYNTAX, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 0 ) 1 1", "expected ), found 0", MD5_ERROR_SYNTAX, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 0",
      "vertex 1 has no weights", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 3",
      "vertex 1 names weights beyond the 3 of its mesh", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 2", "", MD5_OK, 0 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 3 1",
      "vertex 1 names weights beyond the 3 of its mesh", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 2147483646 64",
      "vertex 1 names weights beyond the 3 of its mesh", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 2147483647 1",
      "a vertex cannot begin with weight 2147483647", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) -1 1",
      "a vertex cannot begin with weight -1", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 65",
      "a vertex with 65 weights: 1 to 64 are possible", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 -1",
      "a vertex with -1 weights: 1 to 64 are possible", MD5_ERROR_CORRUPT, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ) ( 1 1 1 1 ) ( )", "", MD5_OK, 0 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ) ( x )",
      "expected a number, found x", MD5_ERROR_SYNTAX, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ",
      "expected a number, found vert", MD5_ERROR_SYNTAX, 13 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 1 }",
      "expected vert, found }", MD5_ERROR_SYNTAX, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 1 x",
      "expected vert, found x", MD5_ERROR_SYNTAX, 12 },
    { "vert 1 ( 1 0 ) 1 1", "vertex 1 ( 1 0 ) 1 1",
      "expected vert, found vertex", MD5_ERROR_SYNTAX, 12 },
    { "vert 2 ( 0 1 ) 2 1", "vert 2 ( 0 1 ) 2 2",
      "vertex 2 names weights beyond the 3 of its mesh", MD5_ERROR_CORRUPT, 13 },
    { "numtris 1", "numtris 2", "expected tri, found numweights", MD5_ERROR_SYNTAX, 16 },
    { "numtris 1", "numtris 0", "one tri more than its list was to have", MD5_ERROR_SYNTAX, 15 },
    { "numtris 1", "numtris -1", "-1 is not a possible count", MD5_ERROR_CORRUPT, 14 },
    { "numtris 1", "numtris 99",
      "a count of 99 is too high for a text of 294 bytes: cut short?", MD5_ERROR_CORRUPT, 14 },
    { "numtris 1", "numtris 0 numtris 1", "a second numtris in one mesh", MD5_ERROR_SYNTAX, 14 },
    { "numtris 1", "numtris x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 14 },
    { "tri 0 0 2 1", "tri 0 0 2 1\ntri 0 0 2 1",
      "one tri more than its list was to have", MD5_ERROR_SYNTAX, 16 },
    { "tri 0 0 2 1", "tri 0 0 2 3",
      "a triangle with vertex 3, the mesh has 3 vertices", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "tri 0 0 3 1",
      "a triangle with vertex 3, the mesh has 3 vertices", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "tri 0 3 2 1",
      "a triangle with vertex 3, the mesh has 3 vertices", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "tri 1 0 2 1",
      "triangle 1 is out of range, there are 1", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "tri 0 0 2",
      "expected a whole number, found numweights", MD5_ERROR_SYNTAX, 16 },
    { "tri 0 0 2 1", "tri -1 0 2 1",
      "triangle -1 is out of range, there are 1", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "tri 0 0 -2 1",
      "a triangle with vertex -2, the mesh has 3 vertices", MD5_ERROR_CORRUPT, 15 },
    { "tri 0 0 2 1", "triangle 0 0 2 1", "expected tri, found triangle", MD5_ERROR_SYNTAX, 15 },
    { "numtris 1\ntri 0 0 2 1", "numtris 2\ntri 0 0 2 1\ntri 0 0 2 1",
      "triangle 0 is given twice", MD5_ERROR_CORRUPT, 16 },
    { "numtris 1\ntri 0 0 2 1", "", "", MD5_OK, 0 },
    { "numweights 3", "numweights 2",
      "one weight more than its list was to have", MD5_ERROR_SYNTAX, 19 },
    { "numweights 3", "numweights 4", "expected weight, found }", MD5_ERROR_SYNTAX, 20 },
    { "numweights 3", "numweights 0 numweights 3",
      "a second numweights in one mesh", MD5_ERROR_SYNTAX, 16 },
    { "numweights 3", "numweights -3", "-3 is not a possible count", MD5_ERROR_CORRUPT, 16 },
    { "numweights 3", "numweights 99",
      "a count of 99 is too high for a text of 294 bytes: cut short?", MD5_ERROR_CORRUPT, 16 },
    { "numweights 3", "numweights x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 16 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 0 0 1 ( 1 0 0 )",
      "weight 0 is given twice", MD5_ERROR_CORRUPT, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 3 0 1 ( 1 0 0 )",
      "weight 3 is out of range, there are 3", MD5_ERROR_CORRUPT, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 2 1 ( 1 0 0 )",
      "a weight of joint 2, the model has 2 joints", MD5_ERROR_CORRUPT, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 -1 1 ( 1 0 0 )",
      "a weight of joint -1, the model has 2 joints", MD5_ERROR_CORRUPT, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 x ( 1 0 0 )",
      "expected a number, found x", MD5_ERROR_SYNTAX, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 1e39 ( 1 0 0 )",
      "the number 1e39 is too large", MD5_ERROR_CORRUPT, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 1 ( 1 0 )",
      "expected a number, found )", MD5_ERROR_SYNTAX, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weights 1 0 1 ( 1 0 0 )",
      "expected weight, found weights", MD5_ERROR_SYNTAX, 18 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 3e38 ( 3e38 0 0 )",
      "vertex 1 of mesh 0 lies beyond all numbers", MD5_ERROR_CORRUPT, 0 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 3e38 ( 0 3e38 0 )",
      "vertex 1 of mesh 0 lies beyond all numbers", MD5_ERROR_CORRUPT, 0 },
    { "weight 1 0 1 ( 1 0 0 )", "weight 1 0 3e38 ( 0 0 -3e38 )",
      "vertex 1 of mesh 0 lies beyond all numbers", MD5_ERROR_CORRUPT, 0 },
    { "weight 2 1 1 ( 0 1 0 )\n}", "weight 2 1 1 ( 0 1 0 )",
      "expected the } of a mesh, found the end of the text", MD5_ERROR_SYNTAX, 19 },
    { "weight 2 1 1 ( 0 1 0 )", "weight 2 1 1 ( 0 1 0 )\nx { y } \"z\"", "", MD5_OK, 0 }
};

static const edit anim_edits[] = {
{ "MD5Version 10", "MD5Version 10 commandline \"x\"", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version 11", "", MD5_OK, 0 },
    { "MD5Version 10", "MD5Version 7", "MD5Version 7 is not 10, 11 or 12", MD5_ERROR_VERSION, 1 },
    { "MD5Version 10", "junk",
      "not an MD5: it begins with junk instead of MD5Version", MD5_ERROR_NOT_MD5, 1 },
    { "numFrames 2", "numFrames 0", "the animation has no frames", MD5_ERROR_SYNTAX, 23 },
    { "numFrames 2", "numFrames 1", "", MD5_OK, 0 },
    { "numFrames 2", "numFrames 3",
      "expected frame, found the end of the text", MD5_ERROR_SYNTAX, 23 },
    { "numFrames 2", "numFrames -2", "-2 is not a possible count", MD5_ERROR_CORRUPT, 2 },
    { "numFrames 2", "numFrames 2 numFrames 2", "", MD5_OK, 0 },
    { "numFrames 2", "numFrames 29",
      "a count of 29 is too high for a text of 251 bytes: cut short?", MD5_ERROR_CORRUPT, 2 },
    { "numFrames 2", "numFrames x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 2 },
    { "numFrames 2", "joints", "joints: this is a model, not an animation", MD5_ERROR_SYNTAX, 2 },
    { "numFrames 2", "numbones 7", "numbones: Doom 3's alpha is not read", MD5_ERROR_VERSION, 2 },
    { "numFrames 2", "bone 7", "bone: Doom 3's alpha is not read", MD5_ERROR_VERSION, 2 },
    { "numFrames 2", "numchannels 7",
      "numchannels: Doom 3's alpha is not read", MD5_ERROR_VERSION, 2 },
    { "numFrames 2", "channel 7", "channel: Doom 3's alpha is not read", MD5_ERROR_VERSION, 2 },
    { "numFrames 2", "numCuts 7", "numCuts: this is a camera", MD5_ERROR_SYNTAX, 2 },
    { "numFrames 2", "mesh { } MD5Version 10",
      "the animation has no hierarchy of joints", MD5_ERROR_SYNTAX, 23 },
    { "numFrames 2", "", "the animation has no frames", MD5_ERROR_SYNTAX, 23 },
    { "numJoints 2", "numJoints 0",
      "a hierarchy without a numJoints of 1 or more", MD5_ERROR_SYNTAX, 6 },
    { "numJoints 2", "numJoints 1", "expected }, found \"", MD5_ERROR_SYNTAX, 8 },
    { "numJoints 2", "numJoints 3", "expected a name, found }", MD5_ERROR_SYNTAX, 9 },
    { "numJoints 2", "numJoints 13",
      "a count of 13 is too high for a text of 251 bytes: cut short?", MD5_ERROR_CORRUPT, 3 },
    { "numJoints 2", "numJoints x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 3 },
    { "numJoints 2", "", "a hierarchy without a numJoints of 1 or more", MD5_ERROR_SYNTAX, 6 },
    { "frameRate 24", "frameRate 0", "", MD5_OK, 0 },
    { "frameRate 24", "frameRate -1", "", MD5_OK, 0 },
    { "frameRate 24", "frameRate x", "expected a number, found x", MD5_ERROR_SYNTAX, 4 },
    { "frameRate 24", "", "", MD5_OK, 0 },
    { "numAnimatedComponents 3", "numAnimatedComponents 0",
      "the numbers from 0 on do not lie among the 0 animated ones", MD5_ERROR_CORRUPT, 7 },
    { "numAnimatedComponents 3", "numAnimatedComponents 2",
      "the numbers from 0 on do not lie among the 2 animated ones", MD5_ERROR_CORRUPT, 7 },
    { "numAnimatedComponents 3", "numAnimatedComponents 4",
      "expected a number, found }", MD5_ERROR_SYNTAX, 20 },
    { "numAnimatedComponents 3", "numAnimatedComponents -3",
      "-3 is not a possible count", MD5_ERROR_CORRUPT, 5 },
    { "numAnimatedComponents 3", "numAnimatedComponents 70",
      "2 frames of 70 numbers are too many for this text", MD5_ERROR_CORRUPT, 10 },
    { "numAnimatedComponents 3", "numAnimatedComponents 2147483647",
      "2 frames of 2147483647 numbers are too many for this text", MD5_ERROR_CORRUPT, 10 },
    { "numAnimatedComponents 3", "", "numAnimatedComponents is missing", MD5_ERROR_SYNTAX, 23 },
    { "numAnimatedComponents 3\n", "hierarchy { a -1 7 0 b 0 0 0 }\n",
      "a second hierarchy", MD5_ERROR_SYNTAX, 6 },
    { "numAnimatedComponents 3\nhierarchy {", "hierarchy {",
      "numAnimatedComponents is missing", MD5_ERROR_SYNTAX, 22 },
    { "\"a\" -1 7 0", "\"a\" -1 7 1",
      "the numbers from 1 on do not lie among the 3 animated ones", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 7 -1",
      "the numbers from -1 on do not lie among the 3 animated ones", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 6 1", "", MD5_OK, 0 },
    { "\"a\" -1 7 0", "\"a\" -1 64 0", "flags of 64: they lie below 64", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 63 0",
      "the numbers from 0 on do not lie among the 3 animated ones", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 -1 0", "flags of -1: they lie below 64", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" 0 7 0",
      "joint \"a\" has the parent 0, not -1 or one before 0", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -2 7 0",
      "joint \"a\" has the parent -2, not -1 or one before 0", MD5_ERROR_CORRUPT, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 7 x", "expected a whole number, found x", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "\"a\" -1 x 0", "expected a whole number, found x", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "\"a\" x 7 0", "expected a whole number, found x", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "( -1 7 0", "expected a name, found (", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "...", "expected a name, found the end of the text", MD5_ERROR_SYNTAX, 6 },
    { "\"a\" -1 7 0", "...#",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "...\"a\" -1 /**/",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7 0", "...\"a\" -1 7 /**/",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 7 },
    { "\"b\" 0 0 0", "\"b\" 0 0 99", "", MD5_OK, 0 },
    { "\"b\" 0 0 0", "\"b\" 0 0 -99", "", MD5_OK, 0 },
    { "\"b\" 0 0 0", "\"b\" 1 0 0",
      "joint \"b\" has the parent 1, not -1 or one before 1", MD5_ERROR_CORRUPT, 8 },
    { "\"b\" 0 0 0", "\"b\" 0 1 2", "", MD5_OK, 0 },
    { "\"b\" 0 0 0", "\"b\" 0 1 3",
      "the numbers from 3 on do not lie among the 3 animated ones", MD5_ERROR_CORRUPT, 8 },
    { "\"b\" 0 0 0", "\"b\" 0 0 0 0", "expected }, found 0", MD5_ERROR_SYNTAX, 8 },
    { "}\nbounds", "hierarchy { } bounds", "expected }, found hierarchy", MD5_ERROR_SYNTAX, 9 },
    { "}\nbounds", "}\nhierarchy {\n\"a\" -1 7 0\n\"b\" 0 0 0\n}\nbounds",
      "a second hierarchy", MD5_ERROR_SYNTAX, 10 },
    { "}\nbounds", "}\nnumJoints 9\nbounds", "", MD5_OK, 0 },
    { "bounds {", "bounds", "expected {, found (", MD5_ERROR_SYNTAX, 11 },
    { "bounds {", "bounds { } bounds {", "", MD5_OK, 0 },
    { "bounds {", "bounds { x", "", MD5_OK, 0 },
    { "bounds {", "bounds { (", "expected a number, found (", MD5_ERROR_SYNTAX, 11 },
    { "( 0 0 0 ) ( 1 1 1 )", "( 0 0 0 )", "expected (, found }", MD5_ERROR_SYNTAX, 13 },
    { "( 0 0 0 ) ( 1 1 1 )", "( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) ( 3 3 3 )", "", MD5_OK, 0 },
    { "( 0 0 0 ) ( 1 1 1 )", "( 0 0 0 ) ( 1 x 1 )",
      "expected a number, found x", MD5_ERROR_SYNTAX, 11 },
    { "( 0 0 0 ) ( 1 1 1 )", "", "", MD5_OK, 0 },
    { "baseframe {", "baseframe", "expected {, found (", MD5_ERROR_SYNTAX, 15 },
    { "baseframe {", "baseframe { x", "expected (, found x", MD5_ERROR_SYNTAX, 14 },
    { "baseframe {", "other {",
      "expected baseframe, found the end of the text", MD5_ERROR_SYNTAX, 23 },
    { "( 1 0 0 ) ( 0 0 0 )", "", "expected (, found }", MD5_ERROR_SYNTAX, 17 },
    { "( 1 0 0 ) ( 0 0 0 )", "( 1 0 0 ) ( 0 0 0 ) ( 0 0 0 )",
      "expected }, found (", MD5_ERROR_SYNTAX, 16 },
    { "( 1 0 0 ) ( 0 0 0 )", "( 1 0 0 ) ( 0 x 0 )",
      "expected a number, found x", MD5_ERROR_SYNTAX, 16 },
    { "( 1 0 0 ) ( 0 0 0 )", "( 3e38 0 0 ) ( 1e18 0 -1e18 )", "", MD5_OK, 0 },
    { "( 1 0 0 ) ( 0 0 0 )", "( 1 0 0 ) ( 1e30 0 0 )",
      "frame 0 gives joint 1 a rotation that is none", MD5_ERROR_CORRUPT, 0 },
    { "( 1 0 0 ) ( 0 0 0 )", "( 1 0 0 ) ( 1e30 1e-5 0 )",
      "frame 0 gives joint 1 a rotation that is none", MD5_ERROR_CORRUPT, 0 },
    { "\"a\" -1 7 0", "\"a\" -1 56 0", "", MD5_OK, 0 },
    { "\"a\" -1 7 0\n\"b\" 0 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n"
      "( 0 0 0 ) ( 0 0 0 )\n( 1 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n1 2 3\n",
      "\"a\" -1 56 0\n\"b\" 0 0 0\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 1 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n1 1.1e18 3\n",
      "frame 0 gives joint 0 a rotation that is none", MD5_ERROR_CORRUPT, 0 },
    { "\"a\" -1 7 0\n\"b\" 0 0 0\n}\nbounds {\n( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )\n}\nbaseframe {\n"
      "( 0 0 0 ) ( 0 0 0 )\n( 1 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n1 2 3\n",
      "\"a\" -1 56 0\n\"b\" 0 0 0\n}\nbaseframe {\n( 0 0 0 ) ( 0 0 0 )\n( 1 0 0 ) ( 0 0 0 )\n}\nframe 0 {\n1 2 -1.1e18\n",
      "frame 0 gives joint 0 a rotation that is none", MD5_ERROR_CORRUPT, 0 },
    { "1 2 3", "1 -3e38 3e38", "", MD5_OK, 0 },
    { "frame 0 {", "frame 2 {", "", MD5_OK, 0 },
    { "( 0 0 0 ) ( 1 1 1 )\n}", "( 0 0 0 ) ( 1 1 1 ) x frame 0 { 4 5 6 }\n}", "", MD5_OK, 0 },
    { "frame 0 {", "...frame 0 {", "expected a number, found the end of the text", MD5_ERROR_SYNTAX, 18 },
    { "frame 0 {", "...frame ", "expected frame, found the end of the text", MD5_ERROR_SYNTAX, 18 },
    { "\"a\" -1 7", "...\"a\" -1", "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 7 },
    { "\"a\" -1 7", "...\"a\" -1 7", "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 7 },
    { "frame 0 {", "frame 4 {", "the frames from 1 to 4 leave gaps", MD5_ERROR_CORRUPT, 23 },
    { "frame 0 {", "frame -1 {", "frame -1 is out of range", MD5_ERROR_CORRUPT, 18 },
    { "frame 0 {", "frame 1 {",
      "frame 1 is there twice, or does not belong to the 2 frames", MD5_ERROR_CORRUPT, 21 },
    { "frame 0 {", "frame 3 {",
      "frame 1 is there twice, or does not belong to the 2 frames", MD5_ERROR_CORRUPT, 21 },
    { "frame 0 {", "frame 2147483646 {",
      "the frames from 1 to 2147483646 leave gaps", MD5_ERROR_CORRUPT, 23 },
    { "frame 0 {", "frame 2147483647 {",
      "frame 2147483647 is out of range", MD5_ERROR_CORRUPT, 18 },
    { "frame 0 {", "frame x {", "expected a whole number, found x", MD5_ERROR_SYNTAX, 18 },
    { "frame 0 {", "frame 0 x {", "expected {, found x", MD5_ERROR_SYNTAX, 18 },
    { "frame 0 {", "frames 0 {",
      "expected frame, found the end of the text", MD5_ERROR_SYNTAX, 23 },
    { "frame 0 {", "...frame /**/",
      "expected a whole number, found the end of the text", MD5_ERROR_SYNTAX, 18 },
    { "frame 0 {", "...", "expected frame, found the end of the text", MD5_ERROR_SYNTAX, 17 },
    { "1 2 3", "1 2", "expected a number, found }", MD5_ERROR_SYNTAX, 20 },
    { "1 2 3", "1 2 3 4", "expected }, found 4", MD5_ERROR_SYNTAX, 19 },
    { "1 2 3", "1 2 3e39", "the number 3e39 is too large", MD5_ERROR_CORRUPT, 19 },
    { "1 2 3", "1 2 x", "expected a number, found x", MD5_ERROR_SYNTAX, 19 },
    { "1 2 3", "1,2,3", "expected a number, found 1,2,3", MD5_ERROR_SYNTAX, 19 },
    { "4 5 6\n}", "4 5 6", "expected a number, found the end of the text", MD5_ERROR_SYNTAX, 21 },
    { "4 5 6\n}", "4 5 6 /* } */", "expected }, found the end of the text", MD5_ERROR_SYNTAX, 22 },
    { "4 5 6\n}", "4 5 6 } frame 2 { 1 2 3 }", "", MD5_OK, 0 },
    { "4 5 6\n}", "4 5 6 } }}} \"", "", MD5_OK, 0 }
};

static void test_edits(void)
{
    size_t    i;
    md5_error error;
    check_section("meshes with one thing changed");
    for (i = 0; i < sizeof mesh_edits / sizeof mesh_edits[0]; ++i) {
        const edit *one = &mesh_edits[i];
        md5_model  *model = mesh_with(one->from, one->to, &error);
        check_subject(one->to);
        CHECK((model != NULL) == (one->code == MD5_OK));
        check_error(&error, one->code, one->line, one->message);
        md5_free_model(model);
    }
    check_section("animations with one thing changed");
    for (i = 0; i < sizeof anim_edits / sizeof anim_edits[0]; ++i) {
        const edit *one = &anim_edits[i];
        md5_anim   *anim = anim_with(one->from, one->to, &error);
        check_subject(one->to);
        CHECK((anim != NULL) == (one->code == MD5_OK));
        check_error(&error, one->code, one->line, one->message);
        md5_free_anim(anim);
    }
}

/* A mesh without lists has arrays of nothing, as one with empty lists has. */
static void test_missing_lists(void)
{
    md5_model *model = mesh_with("numtris 1\ntri 0 0 2 1\n", "", NULL);
    check_section("missing lists");
    if (CHECK(model != NULL)) {
        CHECK_EQ(model->meshes[0].index_count, 0);
        CHECK(model->meshes[0].indices != NULL);
    }
    md5_free_model(model);
    model = mesh_with("numMeshes 1", "numMeshes 2 mesh { numverts 0 }", NULL);
    if (CHECK(model != NULL)) {
        CHECK_EQ(model->mesh_count, 2);
        CHECK_EQ(model->meshes[0].vertex_count, 0);
        CHECK(model->meshes[0].vertices && model->meshes[0].weights && model->meshes[0].indices);
    }
    md5_free_model(model);
}

/* The words of a mesh are found however far behind the last thing that matters they begin. */
static void test_far_words(void)
{
    static const char *const words[3] = { "numverts 3", "NumVerts 3", "/**/numverts 3" };
    char text[60];
    int  i, word;
    check_section("words far behind others");
    for (word = 0; word < 3; ++word) {
        for (i = 0; i < 40; ++i) {
            md5_model *model;
            snprintf(text, sizeof text, "%*s%s", i, "", words[word]);
            model = mesh_with("numverts 3", text, NULL);
            if (CHECK(model != NULL)) CHECK_EQ(model->meshes[0].vertex_count, 3);
            md5_free_model(model);
        }
    }
}

/* Bounds that the file does not give are zero, whatever was in the memory before. */
static void test_missing_bounds(void)
{
    static const float none[6] = { 0, 0, 0, 0, 0, 0 };
    counting_allocator memory;
    md5_options  options;
    md5_anim    *anim;
    size_t       size;
    char *text = edited(tiny_anim, "( 0 0 0 ) ( 1 1 1 )\n( 0 0 0 ) ( 1 1 1 )", "( 1 2 3 ) ( 4 5 6 )", &size);
    check_section("missing bounds");
    memset(&memory, 0, sizeof memory);
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    anim = md5_load_anim_memory(text, size, NULL, &options, NULL);
    if (CHECK(anim != NULL)) {
        CHECK_NEAR(anim->bounds[0].max[2], 6, 0);
        CHECK(memcmp(&anim->bounds[1], none, sizeof none) == 0);
    }
    md5_free_anim(anim);
    CHECK(counting_is_clean(&memory));
    free(text);
}

/* What the odd spellings mean, where it is not enough that they load. */
static void test_meanings(void)
{
    static const char *const threes[5] = { "( 1 2/* */3 )", "( 1 2//\n3 )", "( 1 2 /*/ 3 )",
                                           "( 1 2 /***/+3. )", "( 1 2 /*\n//*/ 30e-1 )" };
    size_t     i;
    md5_model *model;
    md5_anim  *anim;
    check_section("what odd spellings mean");
    for (i = 0; i < 5; ++i) {
        model = mesh_with("( 1 2 3 )", threes[i], NULL);
        check_subject(threes[i]);
        if (CHECK(model != NULL)) CHECK_NEAR(model->joints[1].bind.position[2], 3, 0);
        md5_free_model(model);
    }
    check_subject("");
    model = mesh_with("}\nmesh {", "}\nnumJoints 9\nmesh {", NULL);
    if (CHECK(model != NULL)) CHECK_EQ(model->joint_count, 2);
    md5_free_model(model);
    anim = anim_with("numAnimatedComponents 3\nhierarchy {", "hierarchy {", NULL);
    CHECK(anim == NULL);
    anim = anim_with("numFrames 2\nnumJoints 2\nframeRate 24\nnumAnimatedComponents 3\nhierarchy {\n"
                     "\"a\" -1 7 0\n\"b\" 0 0 0\n}\n",
                     "numJoints 2\nhierarchy {\n\"a\" -1 7 0\n\"b\" 0 0 0\n}\nnumJoints 9\n"
                     "numFrames 2\nframeRate 12\nnumAnimatedComponents 3\n",
                     NULL);
    if (CHECK(anim != NULL)) {
        CHECK_EQ(anim->joint_count, 2);
        CHECK_EQ(anim->frame_count, 2);
        CHECK_NEAR(anim->fps, 12, 0);
        CHECK_TEXT(anim->joint_names[1], "b");
    }
    md5_free_anim(anim);
    model = mesh_with("shader \"s\"", "shader \"s\" shader \"t\"", NULL);
    if (CHECK(model != NULL)) CHECK_TEXT(model->meshes[0].shader, "t");
    md5_free_model(model);
    model = mesh_with("shader \"s\"", "/**/shader s", NULL);
    if (CHECK(model != NULL)) CHECK_TEXT(model->meshes[0].shader, "s");
    md5_free_model(model);
    model = mesh_with("numMeshes 1", "numMeshes 2 commandline \"x y\"", NULL);
    if (CHECK(model != NULL)) CHECK_TEXT(model->commandline, "x y");
    md5_free_model(model);
    model = mesh_with("}\nmesh {", "}\nMD5Version 10\nmesh {", NULL);
    if (CHECK(model != NULL)) CHECK_EQ(model->mesh_count, 0); /* a second file begins there */
    md5_free_model(model);
}

/* Line ends of each kind count once. */
static void test_lines(void)
{
    static const struct {
        const char *text;
        uint32_t    line;
    } cases[] = { { "x", 1 },          { "\n\nx", 3 },       { "\r\rx", 3 },      { "\r\n\r\nx", 3 },
                  { "\n\rx", 3 },      { "\r\n\rx", 3 },     { "\n\r\nx", 3 },    { "\r\r\nx", 3 },
                  { "// \r\n// \nx", 3 }, { "/*\n\r\n\r*/x", 4 }, { "//\rx", 2 },    { "\r x\r\r", 2 } };
    size_t    i;
    md5_error error;
    check_section("lines");
    for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_subject(cases[i].text);
        CHECK(!md5_load_model_memory(cases[i].text, strlen(cases[i].text), NULL, &error));
        check_error(&error, MD5_ERROR_NOT_MD5, cases[i].line,
                    "not an MD5: it begins with x instead of MD5Version");
    }
    check_subject("");
}

/* -- Arguments ------------------------------------------------------------- */

static size_t read_nothing(void *user, void *dst, size_t size)
{
    (void)user;
    (void)dst;
    (void)size;
    return 0;
}

/* Every loader refuses what one refuses, and says so in the same words. */
static void test_loaders_alike(void)
{
    md5_options options;
    md5_reader  reader;
    md5_error   error;
    md5_model  *model = mesh_with("numMeshes 1", "numMeshes 1", NULL);
    md5_anim   *anim = anim_with("numFrames 2", "numFrames 2", NULL);
    const char *path = "test_md5_edges.tmp", *words = "options.scale is no finite number above 0";
    int         i;
    counting_allocator memory;
    check_section("loaders");
    memset(&options, 0, sizeof options);
    options.scale = -1;
    reader.read = read_nothing;
    reader.user = NULL;
    CHECK(write_file(path, tiny_mesh, sizeof tiny_mesh - 1));
    for (i = 0; i < 7; ++i) {
        memset(&error, 0x5A, sizeof error);
        if (i == 0) CHECK(!md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error));
        if (i == 1) CHECK(!md5_load_model_reader(&reader, &options, &error));
        if (i == 2) CHECK(!md5_load_model_file(path, &options, &error));
        if (i == 3) CHECK(!md5_load_anim_memory(tiny_anim, sizeof tiny_anim - 1, "", &options, &error));
        if (i == 4) CHECK(!md5_load_anim_reader(&reader, "", &options, &error));
        if (i == 5) CHECK(!md5_load_anim_file(path, &options, &error));
        if (i == 6) CHECK(!md5_retarget_anim(model, anim, NULL, &options, &error));
        check_error(&error, MD5_ERROR_ARGUMENT, 0, words);
    }
    memset(&memory, 0, sizeof memory);
    memory.fail_at = 1;
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    CHECK(!md5_load_model_file(path, &options, &error)); /* not even for the first bytes */
    check_error(&error, MD5_ERROR_MEMORY, 0, "no memory for 295 bytes");
    CHECK_TEXT(md5_result_name(MD5_RESULT_COUNT), "MD5_ERROR_UNKNOWN");
    CHECK(!md5_load_model_reader(&reader, NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with the end of the text instead of MD5Version");
    CHECK(!md5_load_model_memory(NULL, 0, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no text is given");
    CHECK(!md5_load_model_reader(NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no reader is given");
    CHECK(!md5_load_model_file(NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no path is given");
    CHECK(write_file(path, "", 0));
    CHECK(!md5_load_model_file(path, NULL, &error));
    CHECK_EQ(error.code, MD5_ERROR_NOT_MD5);
    CHECK(!md5_load_model_file("no folder\n\x01\x1F\x7F\xC3\xA4 $#", NULL, &error));
    check_error(&error, MD5_ERROR_OPEN, 0, "cannot open no folder ????? $#");
    remove(path);
    md5_free_model(model);
    md5_free_anim(anim);
}

/* Fails once, and would go on. */
typedef struct moody {
    int left;
} moody;

static void *moody_alloc(void *user, size_t size)
{
    moody *mood = (moody *)user;
    return mood->left-- == 0 ? NULL : malloc_or_abort(size);
}

static void moody_release(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

static void test_one_failure(void)
{
    md5_model *model = mesh_with("numMeshes 1", "numMeshes 1", NULL);
    md5_anim  *anim = anim_with("numFrames 2", "numFrames 2", NULL);
    int        which, i;
    check_section("one failure of the allocator");
    for (which = 0; which < 3; ++which) {
        for (i = 0; i < 20; ++i) {
            md5_options options;
            md5_error   error;
            moody       mood;
            void       *got = NULL;
            mood.left = i;
            memset(&options, 0, sizeof options);
            options.allocator.alloc = moody_alloc;
            options.allocator.release = moody_release;
            options.allocator.user = &mood;
            if (which == 0) got = md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error);
            if (which == 1) got = md5_load_anim_memory(tiny_anim, sizeof tiny_anim - 1, "", &options, &error);
            if (which == 2) got = md5_retarget_anim(model, anim, NULL, &options, &error);
            CHECK_EQ(got != NULL, mood.left >= 0);
            CHECK_EQ(error.code, mood.left >= 0 ? MD5_OK : MD5_ERROR_MEMORY);
            if (which == 0) md5_free_model((md5_model *)got);
            else md5_free_anim((md5_anim *)got);
        }
    }
    md5_free_model(model);
    md5_free_anim(anim);
}

typedef struct slow_reader {
    const char *text;
    size_t      at, size, step;
} slow_reader;

static size_t read_slowly(void *user, void *dst, size_t size)
{
    slow_reader *slow = (slow_reader *)user;
    size_t       left = slow->size - slow->at, got = slow->step < size ? slow->step : size;
    if (got > left) got = left;
    if (got) memcpy(dst, slow->text + slow->at, got);
    slow->at += got;
    return got;
}

/* What is read in many pieces is what was in memory, and the room for it grows in few steps. */
static void test_long_reading(void)
{
    enum { BLANKS = 300000 };
    static const size_t steps[3] = { 1, 997, BLANKS };
    char  *text = (char *)malloc_or_abort(BLANKS + sizeof tiny_mesh);
    size_t head = 14, i; /* behind the first line */
    check_section("long reading");
    memset(text, ' ', BLANKS + sizeof tiny_mesh);
    memcpy(text, tiny_mesh, head);
    memcpy(text + BLANKS + head, tiny_mesh + head, sizeof tiny_mesh - 1 - head);
    CHECK(write_file("test_md5_edges.tmp", text, BLANKS + sizeof tiny_mesh - 1));
    for (i = 0; i < 4; ++i) {
        counting_allocator memory;
        md5_options  options;
        md5_error    error;
        md5_reader   reader;
        slow_reader  slow;
        md5_model   *model;
        slow.text = text;
        slow.at = 0;
        slow.size = BLANKS + sizeof tiny_mesh - 1;
        slow.step = steps[i % 3];
        reader.read = read_slowly;
        reader.user = &slow;
        memset(&memory, 0, sizeof memory);
        memset(&options, 0, sizeof options);
        options.allocator.alloc = counting_alloc;
        options.allocator.release = counting_release;
        options.allocator.user = &memory;
        if (i < 3) model = md5_load_model_reader(&reader, &options, &error);
        else model = md5_load_model_file("test_md5_edges.tmp", &options, &error);
        if (CHECK(model != NULL)) CHECK_EQ(model->meshes[0].vertex_count, 3);
        CHECK(memory.allocations < (i < 3 ? 10 : 6)); /* the size of a file is known */
        md5_free_model(model);
        CHECK(counting_is_clean(&memory));
    }
    remove("test_md5_edges.tmp");
    free(text);
}

/* max_bytes bounds what is held at any time, the bytes of the file too where they are read here. */
static void test_limits(void)
{
    md5_options  options;
    md5_error    error;
    md5_model   *model;
    const char  *path = "test_md5_edges.tmp";
    size_t       bytes, least;
    counting_allocator memory;
    check_section("limits");
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    memset(&memory, 0, sizeof memory);
    model = md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error);
    if (!CHECK(model != NULL)) return;
    least = memory.peak_bytes;
    bytes = model->bytes;
    if (sizeof(void *) == 8) { /* no byte more than it takes */
        md5_anim *anim = NULL;
        CHECK_EQ(bytes, 1526);
        CHECK_EQ(least, 1813);
        md5_free_model(model);
        memory.peak_bytes = 0;
        anim = md5_load_anim_memory(tiny_anim, sizeof tiny_anim - 1, "tiny", &options, NULL);
        if (CHECK(anim != NULL)) CHECK_EQ(anim->bytes, 345);
        CHECK_EQ(memory.peak_bytes, 418);
        md5_free_anim(anim);
        model = md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error);
    }
    md5_free_model(model);
    CHECK(least > bytes);
    options.max_bytes = least;
    model = md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error);
    CHECK(model != NULL);
    md5_free_model(model);
    options.max_bytes = least - 1;
    CHECK(!md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
    options.max_bytes = least - bytes; /* the scratch alone fits */
    CHECK(!md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
    options.max_bytes = least - bytes - 1;
    CHECK(!md5_load_model_memory(tiny_mesh, sizeof tiny_mesh - 1, &options, &error));
    CHECK_EQ(error.code, MD5_ERROR_LIMIT);
    options.max_bytes = 100;
    CHECK(write_file(path, tiny_mesh, sizeof tiny_mesh - 1));
    CHECK(!md5_load_model_file(path, &options, &error)); /* the file alone is too large */
    check_error(&error, MD5_ERROR_LIMIT, 0, "100 bytes more are needed, but max_bytes is 100");
    CHECK(memory.largest <= least);
    CHECK(counting_is_clean(&memory));
    remove(path);
}

static size_t read_endlessly(void *user, void *dst, size_t size)
{
    (void)user;
    memset(dst, ' ', size);
    return size;
}

/* 64 MiB at most are held unless max_bytes says otherwise. */
static void test_default_limit(void)
{
    md5_options  options;
    md5_error    error;
    md5_reader   endless;
    counting_allocator memory;
    check_section("default limit");
    endless.read = read_endlessly;
    endless.user = NULL;
    memset(&memory, 0, sizeof memory);
    memset(&options, 0, sizeof options);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    CHECK(!md5_load_model_reader(&endless, &options, &error));
    check_error(&error, MD5_ERROR_LIMIT, 0,
                "33619458 bytes more are needed, but max_bytes is 67108864");
    CHECK(memory.peak_bytes <= (size_t)64 << 20);
    CHECK(counting_is_clean(&memory));
}

static void test_retarget(void)
{
    md5_options  options;
    md5_error    error;
    counting_allocator memory;
    md5_model   *model, *wide;
    md5_anim    *anim = anim_with("numFrames 2", "numFrames 2", NULL), *copy;
    md5_xform    pose[3], bind[3];
    uint32_t     missing, i;
    check_section("retargeting");
    wide = mesh_with("numJoints 2\nnumMeshes 1\njoints {\n\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n",
                     "numJoints 3 joints { x -1 ( 7 8 9 ) ( 0.6 0 0 ) a 0 ( 0 0 0 ) ( 0 0 0 )", NULL);
    model = mesh_with("numMeshes 1", "numMeshes 1", NULL);
    if (!CHECK(wide && model && anim)) return;
    memset(&options, 0, sizeof options);
    memset(&memory, 0, sizeof memory);
    options.allocator.alloc = counting_alloc;
    options.allocator.release = counting_release;
    options.allocator.user = &memory;
    for (i = 1; i < 4; ++i) {
        memory.allocations = 0;
        memory.fail_at = i < 3 ? i : 0;
        copy = md5_retarget_anim(wide, anim, &missing, &options, &error);
        CHECK((copy != NULL) == (i == 3));
        CHECK_EQ(error.code, i < 3 ? MD5_ERROR_MEMORY : MD5_OK);
        if (copy) {
            CHECK_EQ(missing, 1);
            CHECK_TEXT(copy->name, "tiny");
            CHECK(md5_check_anim(wide, copy, NULL) == MD5_OK);
            CHECK_EQ(memory.live_bytes, copy->bytes);
            md5_pose_at(copy, MD5_LOOP, 0, pose);
            md5_pose_bind(wide, bind);
            for (missing = 0; missing < 4; ++missing) /* w is never positive in the file */
                CHECK_NEAR(pose[0].rotation[missing],
                           bind[0].rotation[missing] * (bind[0].rotation[3] > 0 ? -1.0f : 1.0f), 1e-6);
            CHECK_NEAR(pose[0].position[1], 8, 0);
            CHECK_NEAR(pose[1].position[1], 2, 0);
            CHECK_NEAR(pose[2].position[0], 1, 0);
        }
        md5_free_anim(copy);
        CHECK(counting_is_clean(&memory));
    }
    CHECK(!md5_retarget_anim(NULL, anim, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no model or no animation is given");
    CHECK(!md5_retarget_anim(model, NULL, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no model or no animation is given");
    CHECK_EQ(md5_check_anim(NULL, anim, &error), MD5_ERROR_ARGUMENT);
    check_error(&error, MD5_ERROR_ARGUMENT, 0, "no model or no animation is given");
    CHECK_EQ(md5_check_anim(model, NULL, NULL), MD5_ERROR_ARGUMENT);
    model->flags ^= MD5_Y_UP;
    CHECK(!md5_retarget_anim(model, anim, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "one of model and animation was loaded with MD5_Y_UP, the other without");
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_ERROR_MISMATCH);
    model->flags ^= MD5_Y_UP;
    model->scale = 2;
    CHECK(!md5_retarget_anim(model, anim, NULL, NULL, &error));
    check_error(&error, MD5_ERROR_MISMATCH, 0,
                "the animation was loaded with another options.scale than the model");
    model->scale = 1;
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_OK);
    check_error(&error, MD5_OK, 0, "");
    CHECK_EQ(md5_check_anim(wide, anim, &error), MD5_ERROR_MISMATCH);
    check_error(&error, MD5_ERROR_MISMATCH, 0, "the animation has 2 joints, the model has 3");
    md5_free_model(model);
    model = mesh_with("\"b\" 0", "\"c\" 0", NULL);
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_ERROR_MISMATCH);
    check_error(&error, MD5_ERROR_MISMATCH, 0, "joint 1 is \"b\", the model's is \"c\"");
    md5_free_model(model);
    model = mesh_with("\"b\" 0", "\"b\" -1", NULL);
    CHECK_EQ(md5_check_anim(model, anim, &error), MD5_ERROR_MISMATCH);
    check_error(&error, MD5_ERROR_MISMATCH, 0, "joint 1 \"b\" hangs from another joint than the model's");
    CHECK_EQ(md5_find_joint(model, "b"), 1);
    CHECK_EQ(md5_find_joint(model, "c"), -1);
    CHECK_EQ(md5_find_joint(model, NULL), -1);
    md5_free_model(model);
    md5_free_model(wide);
    md5_free_anim(anim);
}

static void expect_path(const md5_model *model, const char *model_path, uint32_t attempt,
                        const char *wanted)
{
    char path[64] = "";
    bool found = md5_texture_path(model, model_path, 0, attempt, path, sizeof path);
    CHECK_EQ(found, wanted != NULL);
    if (wanted) CHECK_TEXT(path, wanted);
}

/* Names with an extension in upper case, and bare names that are the model's own. */
static void test_texture_names(void)
{
    md5_model *model = mesh_with("shader \"s\"", "shader \"a/Imp_local.TGA\"", NULL);
    check_section("names of textures");
    if (CHECK(model != NULL)) {
        expect_path(model, "b/other.md5mesh", 0, "b/Imp_d.tga");
        expect_path(model, "b/other.md5mesh", 4, "b/Imp_d.bmp");
        expect_path(model, "b/other.md5mesh", 5, "b/Imp.tga");
        expect_path(model, "b/other.md5mesh", 10, "b/Imp_local.TGA");
        expect_path(model, "b/other.md5mesh", 11, "b/Imp_local.tga");
        expect_path(model, "b/other.md5mesh", 16, "b/other.tga");
        expect_path(model, "b/other.md5mesh", 21, "b/imp_d.tga");
        expect_path(model, "b/other.md5mesh", 31, "b/imp_local.tga");
        expect_path(model, "b/other.md5mesh", 35, "b/imp_local.bmp");
        expect_path(model, "b/other.md5mesh", 36, NULL);
        expect_path(model, "b/Imp.md5mesh", 15, "b/Imp_local.bmp");
        expect_path(model, "b/Imp.md5mesh", 16, "b/imp_d.tga"); /* its own name was among them */
        expect_path(model, "b/Imp_local.md5mesh", 16, "b/imp_d.tga");
    }
    md5_free_model(model);
}

/* Names that are nothing but an ending are names, and ".v2" is part of one. */
static void test_odd_texture_names(void)
{
    static const char *const names[4] = { "_d", "_local", "d", "h" };
    md5_model *model = mesh_with("shader \"s\"", "shader \"arm.v2\"", NULL);
    char       text[40], path[64];
    uint32_t   i, attempt;
    check_section("odd names of textures");
    if (CHECK(model != NULL)) {
        expect_path(model, "b/arm.md5mesh", 0, "b/arm.v2.tga");
        expect_path(model, "b/arm.md5mesh", 4, "b/arm.v2.bmp");
        expect_path(model, NULL, 0, "arm.v2.tga");
    }
    md5_free_model(model);
    model = mesh_with("shader \"s\"", "shader \"AZ[@`{\"", NULL);
    if (CHECK(model != NULL)) expect_path(model, "b/x.md5mesh", 15, "b/az[@`{.tga");
    md5_free_model(model);
    for (i = 0; i < 4; ++i) {
        snprintf(text, sizeof text, "shader \"%s\"", names[i]);
        model = mesh_with("shader \"s\"", text, NULL);
        for (attempt = 0; model && md5_texture_path(model, "b/x.md5mesh", 0, attempt, path, sizeof path); ++attempt) {
            CHECK(strncmp(path + 2, names[i], strlen(names[i])) == 0 || path[2] == 'x');
        }
        CHECK(attempt > 5);
        md5_free_model(model);
    }
}

/* What the animation lacks keeps the bind pose, along whichever axes. */
static void test_retarget_axes(void)
{
    static const char mesh[] = "MD5Version 10 numJoints 3 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) "
                               "b 0 ( 1 2 3 ) ( 0 0 0 ) c 1 ( 4 6 9 ) ( 0.1 0.2 0.3 ) }";
    uint32_t flags, i;
    check_section("retargeting along axes");
    for (flags = 0; flags <= (uint32_t)MD5_Y_UP; ++flags) {
        md5_options options;
        md5_model  *model;
        md5_anim   *anim, *copy;
        memset(&options, 0, sizeof options);
        options.flags = flags;
        options.scale = 2;
        model = md5_load_model_memory(mesh, sizeof mesh - 1, &options, NULL);
        anim = md5_load_anim_memory(tiny_anim, sizeof tiny_anim - 1, NULL, &options, NULL);
        if (!CHECK(model && anim)) return;
        copy = md5_retarget_anim(model, anim, NULL, NULL, NULL);
        if (CHECK(copy != NULL)) {
            md5_xform pose[3], bind[3];
            float     sign;
            md5_pose_at(copy, MD5_LOOP, 0, pose);
            md5_pose_bind(model, bind);
            sign = bind[2].rotation[3] > 0 ? -1.0f : 1.0f;
            for (i = 0; i < 3; ++i) CHECK_NEAR(pose[2].position[i], bind[2].position[i], 1e-6);
            for (i = 0; i < 4; ++i) CHECK_NEAR(pose[2].rotation[i], sign * bind[2].rotation[i], 1e-6);
        }
        md5_free_anim(copy);
        md5_free_anim(anim);
        md5_free_model(model);
    }
}

/* -- Time ------------------------------------------------------------------ */

/* Five frames, a second each: x is the number of the frame, of the root and once more of its child. */
static md5_anim *counting(void)
{
    static const char text[] =
        "MD5Version 10 numFrames 5 numJoints 2 frameRate 1 numAnimatedComponents 1 "
        "hierarchy { a -1 1 0 b 0 1 0 } "
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 0 } frame 1 { 1 } frame 2 { 2 } frame 3 { 3 }"
        "frame 4 { 4 }";
    return md5_load_anim_memory(text, sizeof text - 1, NULL, NULL, NULL);
}

static double x_at(const md5_anim *anim, md5_mode mode, double seconds)
{
    md5_xform pose[2];
    md5_pose_at(anim, mode, seconds, pose);
    return (double)pose[1].position[0];
}

static void test_times(void)
{
    md5_anim    *anim = counting();
    md5_xform    pose, kept;
    random_source random = { 5 };
    int          i;
    check_section("times");
    if (!CHECK(anim != NULL)) return;
    CHECK(!anim->closed);
    CHECK_NEAR(md5_anim_length(anim, MD5_LOOP), 5, 0);
    CHECK_NEAR(md5_anim_length(anim, MD5_ONCE), 4, 0);
    CHECK_NEAR(md5_anim_length(anim, MD5_PING_PONG), 8, 0);
    CHECK_NEAR(md5_anim_length(NULL, MD5_LOOP), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, 2.5), 2.5, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, 4.5), 2, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, -1), 4, 0);
    CHECK_NEAR(x_at(anim, MD5_ONCE, -1), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_ONCE, 9), 4, 0);
    CHECK_NEAR(x_at(anim, MD5_PING_PONG, 5), 3, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, 3 - 1e-12), 3, 0); /* nearer to 3 than a float can tell */
    CHECK_NEAR(x_at(anim, MD5_LOOP, 5 - 1e-12), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_ONCE, 4 - 1e-12), 4, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, HUGE_VAL), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, -HUGE_VAL), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, HUGE_VAL - HUGE_VAL), 0, 0);
    CHECK_NEAR(x_at(anim, MD5_LOOP, 11259015011259014.0), 0, 4); /* the rest of that is -2 */
    for (i = 0; i < 20000; ++i) {
        double seconds = (random_unit(&random) - 0.5) * pow(10, 10 + i % 20), x;
        x = x_at(anim, i % 2 ? MD5_LOOP : MD5_PING_PONG, seconds);
        CHECK(x >= 0 && x <= 4);
    }
    memset(&kept, 0x5A, sizeof kept);
    pose = kept;
    md5_pose_at(NULL, MD5_LOOP, 1, &pose); /* no animation: nothing is written */
    md5_pose_in_place(NULL, MD5_LOOP, 1, &pose);
    CHECK(memcmp(&pose, &kept, sizeof pose) == 0);
    md5_root_motion(NULL, MD5_LOOP, 0, 1, &pose);
    CHECK_NEAR(pose.position[0], 0, 0);
    CHECK_NEAR(pose.rotation[3], 1, 0);
    anim->fps = 3e38f;
    CHECK_NEAR(x_at(anim, MD5_LOOP, 1e300), 0, 0);
    anim->fps = 0; /* as 24 */
    CHECK_NEAR(x_at(anim, MD5_LOOP, 2 / 24.0), 2, 1e-6);
    CHECK_NEAR(md5_anim_length(anim, MD5_ONCE), 4 / 24.0, 1e-12);
    md5_free_anim(anim);
}

/* However long, what a rotation becomes is a unit quaternion; what is too long for that is refused,
   but only where it turns something. */
static void test_long_rotations(void)
{
    static const struct {
        const char *numbers;
        bool        fine;
    } cases[] = { { "1 0 0", true },          { "1e9 0 1e9", true },     { "1e18 1e18 1e18", true },
                  { "-1e18 1e-9 0", true },   { "1.1e18 0 0", false },   { "0 -1.1e18 0", false },
                  { "0 0 3e38", false },      { "0 0 -3e38", false } };
    size_t i, k;
    check_section("long rotations");
    for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        for (k = 0; k < 2; ++k) {
            char      text[600];
            md5_error error;
            md5_anim *anim;
            sprintf(text,
                    "MD5Version 10 numFrames 2 numJoints 2 frameRate 1 numAnimatedComponents 6 "
                    "hierarchy { a -1 0 0 b 0 %d %d } bounds { ( 3e38 3e38 3e38 ) ( 3e38 3e38 3e38 ) "
                    "( 3e38 3e38 3e38 ) ( 3e38 3e38 3e38 ) } baseframe { ( 0 0 0 ) ( 0 0 0 ) "
                    "( 0 0 0 ) ( 3e38 3e38 3e38 ) } frame 0 { 3e38 0 0 0 0 0 } frame 1 { 0 0 %s %s }",
                    k ? 57 : 56, k ? 2 : 3, k ? "3e38" : "0", cases[i].numbers);
            anim = md5_load_anim_memory(text, strlen(text), NULL, NULL, &error);
            check_subject(cases[i].numbers);
            CHECK_EQ(anim != NULL, cases[i].fine);
            if (!anim) {
                check_error(&error, MD5_ERROR_CORRUPT, 0, "frame 1 gives joint 1 a rotation that is none");
            }
            if (anim) {
                md5_xform pose[2];
                double    square;
                md5_pose_at(anim, MD5_ONCE, 1, pose);
                square = (double)pose[1].rotation[3] * (double)pose[1].rotation[3] +
                         square_of(pose[1].rotation);
                CHECK_NEAR(square, 1, 1e-6);
                md5_pose_at(anim, MD5_ONCE, 0.5, pose);
                square = (double)pose[1].rotation[3] * (double)pose[1].rotation[3] +
                         square_of(pose[1].rotation);
                CHECK_NEAR(square, 1, 1e-5);
            }
            md5_free_anim(anim);
        }
    }
    check_subject("");
}

/* The ground is across z, or across y where that points up. */
static void test_in_place(void)
{
    static const char text[] =
        "MD5Version 10 numFrames 2 numJoints 1 frameRate 1 numAnimatedComponents 3 hierarchy { a -1 7 0 }"
        "baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 1 2 3 } frame 1 { 10 20 30 }";
    md5_options options;
    int         i;
    check_section("in place");
    memset(&options, 0, sizeof options);
    for (i = 0; i < 2; ++i) {
        md5_anim *anim;
        md5_xform pose, motion;
        options.flags = i ? MD5_Y_UP : 0;
        anim = md5_load_anim_memory(text, sizeof text - 1, NULL, &options, NULL);
        if (!CHECK(anim != NULL)) return;
        md5_pose_in_place(anim, MD5_ONCE, 1, &pose);
        CHECK_NEAR(pose.position[0], i ? 2 : 1, 0);
        CHECK_NEAR(pose.position[1], i ? 30 : 2, 0);
        CHECK_NEAR(pose.position[2], i ? 1 : 30, 0);
        md5_root_motion(anim, MD5_ONCE, 0, 1, &motion);
        CHECK_NEAR(motion.position[0], i ? 18 : 9, 0);
        CHECK_NEAR(motion.position[1], i ? 0 : 18, 0);
        CHECK_NEAR(motion.position[2], i ? 9 : 0, 0);
        md5_free_anim(anim);
    }
}

/* A half turn is the same one way round and the other: x y z all negated. */
static void test_closed_by_half_turns(void)
{
    static const char *const numbers[4] = { "1 0 0", "-1 0 0", "-0.99999 -0.004 0", "0 1 0" };
    static const bool        closed[4] = { true, true, true, false };
    int                      i;
    check_section("closed by half turns");
    for (i = 0; i < 4; ++i) {
        char      frame[32];
        size_t    size;
        char     *text;
        md5_anim *anim;
        static const char base[] =
            "MD5Version 10 numFrames 2 numJoints 1 frameRate 24 numAnimatedComponents 3 hierarchy { "
            "a -1 56 0 } baseframe { ( 0 0 0 ) ( 0 0 0 ) } frame 0 { 1 0 0 } frame 1 { last }";
        sprintf(frame, "{ %s }", numbers[i]);
        text = edited(base, "{ last }", frame, &size);
        anim = md5_load_anim_memory(text, size, NULL, NULL, NULL);
        if (CHECK(anim != NULL)) CHECK_EQ(anim->closed, closed[i]);
        md5_free_anim(anim);
        free(text);
    }
}

/* -- Skeletons and meshes -------------------------------------------------- */

static md5_model *model_from(const char *text)
{
    md5_error  error;
    md5_model *model = md5_load_model_memory(text, strlen(text), NULL, &error);
    if (!CHECK(model != NULL)) printf("  line %u: %s\n", (unsigned)error.line, error.message);
    return model;
}

/* Joints of one name: that of the same index is meant, else the first. */
static void test_retarget_one_name(void)
{
    static const char head[] = "MD5Version 10 numFrames 1 numJoints 4 frameRate 24 numAnimatedComponents 0 "
                               "hierarchy { r -1 0 0 x 0 0 0 x 0 0 0 x 0 0 0 } bounds { ( 0 0 0 ) ( 1 1 1 ) } "
                               "baseframe { ( 0 0 0 ) ( 0 0 0 ) ( 1 0 0 ) ( 0 0 0 ) ( 2 0 0 ) ( 0 0 0 ) "
                               "( 3 0 0 ) ( 0 0 0 ) } frame 0 { }";
    static const double wanted[5] = { 0, 1, 2, 3, 1 };
    md5_model *model = model_from("MD5Version 10 numJoints 5 numMeshes 0 joints { r -1 ( 0 0 0 ) ( 0 0 0 ) "
                                  "x 0 ( 9 0 0 ) ( 0 0 0 ) x 0 ( 9 0 0 ) ( 0 0 0 ) x 0 ( 9 0 0 ) ( 0 0 0 ) "
                                  "x 0 ( 9 0 0 ) ( 0 0 0 ) }");
    md5_anim  *anim = md5_load_anim_memory(head, sizeof head - 1, "", NULL, NULL), *copy = NULL;
    uint32_t   i, missing = 9;
    check_section("retargeting joints of one name");
    if (CHECK(model && anim)) copy = md5_retarget_anim(model, anim, &missing, NULL, NULL);
    CHECK_EQ(missing, 0);
    for (i = 0; CHECK(copy != NULL) && i < 5; ++i) CHECK_NEAR(copy->base[6 * i], wanted[i], 0);
    md5_free_anim(copy);
    md5_free_anim(anim);
    md5_free_model(model);
}

static void test_masks(void)
{
    static const int branch[6][5] = { { 1, 1, 1, 1, 1 }, { 0, 1, 0, 1, 0 }, { 0, 0, 1, 0, 1 },
                                      { 0, 0, 0, 1, 0 }, { 0, 0, 0, 0, 1 }, { 0, 0, 0, 0, 0 } };
    md5_model *model = model_from("MD5Version 10 numJoints 5 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) "
                                  "b 0 ( 0 0 0 ) ( 0 0 0 ) c 0 ( 0 0 0 ) ( 0 0 0 ) "
                                  "d 1 ( 0 0 0 ) ( 0 0 0 ) e 2 ( 0 0 0 ) ( 0 0 0 ) }");
    uint32_t   joint, i;
    check_section("masks");
    if (!model) return;
    for (joint = 0; joint < 6; ++joint) {
        float mask[6] = { 3, 3, 3, 3, 3, 3 };
        md5_mask_branch(model, joint, 0.5f, mask);
        for (i = 0; i < 5; ++i) CHECK_NEAR(mask[i], branch[joint][i] ? 0.5 : 3, 0);
        CHECK_NEAR(mask[5], 3, 0);
    }
    md5_free_model(model);
}

/* A large skeleton, with parents near and far, and a mask that holds the value already at some joints. */
static void test_large_masks(void)
{
    enum { JOINTS = 2600 };
    static char  text[JOINTS * 40];
    static float mask[JOINTS], before[JOINTS];
    char        *at = text;
    md5_model   *model;
    int32_t      joint, i, ancestor;
    check_section("large masks");
    at += sprintf(at, "MD5Version 10 numJoints %d joints {\n", JOINTS);
    for (i = 0; i < JOINTS; ++i)
        at += sprintf(at, "j%d %d ( 0 0 0 ) ( 0 0 0 )\n", i, i == 0 ? -1 : i % 3 ? i - 1 : i / 2);
    sprintf(at, "}\n");
    model = model_from(text);
    if (!model) return;
    for (joint = 0; joint < JOINTS; joint += 37) {
        for (i = 0; i < JOINTS; ++i) before[i] = mask[i] = i % 2 ? 0.5f : 3.0f;
        md5_mask_branch(model, (uint32_t)joint, 0.5f, mask);
        for (i = 0; i < JOINTS; ++i) {
            for (ancestor = i; ancestor > joint;) ancestor = model->joints[ancestor].parent;
            CHECK_NEAR(mask[i], ancestor == joint ? 0.5f : before[i], 0);
        }
    }
    md5_free_model(model);
}

/* A mesh of more joints than a palette holds, and a vertex that has the same joint twice. */
static void test_private_palettes(void)
{
    enum { JOINTS = 200, VERTICES = 4 };
    static const int used[VERTICES][3] = { { 1, 65, 129 }, { 63, 127, 191 }, { 127, 63, 64 }, { 2, 2, 66 } };
    static char      text[40000];
    char            *at = text;
    float            positions[VERTICES * 3], normals[VERTICES * 3];
    md5_xform       *pose;
    md5_model       *model;
    int              i, k;
    check_section("private palettes");
    at += sprintf(at, "MD5Version 10 numJoints %d numMeshes 1 joints {\n", JOINTS);
    for (i = 0; i < JOINTS; ++i) at += sprintf(at, "j%d -1 ( %d 0 0 ) ( 0 0 0 )\n", i, i);
    at += sprintf(at, "}\nmesh { numverts %d\n", VERTICES);
    for (i = 0; i < VERTICES; ++i) at += sprintf(at, "vert %d ( 0 0 ) %d 3\n", i, 3 * i);
    at += sprintf(at, "numtris 1 tri 0 0 1 2 numweights %d\n", 3 * VERTICES + JOINTS);
    for (i = 0; i < 3 * VERTICES + JOINTS; ++i) {
        int joint = i < 3 * VERTICES ? used[i / 3][i % 3] : i - 3 * VERTICES;
        at += sprintf(at, "weight %d %d %s ( 0 %d 0 )\n", i, joint, i % 3 ? "0.25" : "0.5", i / 3 % 2);
    }
    sprintf(at, "}\n");
    model = model_from(text);
    if (!model) return;
    pose = (md5_xform *)malloc_or_abort(JOINTS * sizeof *pose);
    for (i = 0; i < JOINTS; ++i) {
        pose[i] = model->joints[i].bind;
        pose[i].position[2] = (float)(i * i);
    }
    md5_pose_vertices(model, 0, pose, positions, 0, normals, 0, NULL, 0);
    for (i = 0; i < VERTICES; ++i) {
        double x = 0, z = 0;
        for (k = 0; k < 3; ++k) {
            x += (k ? 0.25 : 0.5) * used[i][k];
            z += (k ? 0.25 : 0.5) * used[i][k] * used[i][k];
        }
        CHECK_NEAR(positions[3 * i], x, 1e-3);
        CHECK_NEAR(positions[3 * i + 1], i % 2, 1e-6);
        CHECK_NEAR(positions[3 * i + 2], z, 1e-1);
        CHECK_NEAR(fabs((double)normals[3 * i + 2]), i < 3 ? 0 : 1, 1); /* a unit vector */
    }
    free(pose);
    md5_free_model(model);
}

/* Where the joints of a vertex turn so that nothing is left of its normal, it is as in bind pose. */
static void test_vanishing_directions(void)
{
    md5_model *model = mesh_with("vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1",
                                 "vert 0 ( 0 0 ) 0 2\nvert 1 ( 1 0 ) 2 2\nvert 2 ( 0 1 ) 4 2", NULL);
    CHECK(model == NULL);
    model = model_from("MD5Version 10 numJoints 2 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) "
                       "b -1 ( 0 0 0 ) ( 0 0 0 ) } mesh { numverts 3 vert 0 ( 0 0 ) 0 2 "
                       "vert 1 ( 1 0 ) 2 2 vert 2 ( 0 1 ) 4 2 numtris 1 tri 0 0 2 1 numweights 6 "
                       "weight 0 0 0.5 ( 0 0 0 ) weight 1 1 0.5 ( 0 0 0 ) "
                       "weight 2 0 0.5 ( 1 0 0 ) weight 3 1 0.5 ( 1 0 0 ) "
                       "weight 4 0 0.5 ( 0 1 0 ) weight 5 1 0.5 ( 0 1 0 ) }");
    check_section("directions that vanish");
    if (model) {
        static const float half_turn[4] = { 1, 0, 0, 0 };
        float     normals[9], tangents[12];
        md5_xform pose[2];
        int       i;
        pose[0] = model->joints[0].bind;
        pose[1] = model->joints[1].bind;
        memcpy(pose[1].rotation, half_turn, sizeof half_turn);
        md5_pose_vertices(model, 0, pose, NULL, 0, normals, 0, tangents, 0);
        for (i = 0; i < 3; ++i) {
            const md5_vertex *vertex = &model->meshes[0].vertices[i];
            CHECK_NEAR(vertex->normal[2], 1, 1e-6);
            CHECK(memcmp(normals + 3 * i, vertex->normal, sizeof vertex->normal) == 0);
            CHECK_NEAR(tangents[4 * i], 1, 1e-6);
            CHECK_NEAR(tangents[4 * i + 3], vertex->tangent[3], 0);
        }
    }
    md5_free_model(model);
}

/* A triangle without area in the picture, or one that lies where it has no angle there, leaves the tangents
   to its neighbour. */
static void test_tangents_beside_none(void)
{
    static const char *const corners[2] = { "1 0", "0.5 0.5" }; /* no side, and all on one line */
    md5_model *model;
    uint32_t   which, i;
    check_section("tangents beside a triangle that has none");
    for (which = 0; which < 2; ++which) {
        char text[500];
        snprintf(text, sizeof text,
                 "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } "
                 "mesh { numverts 4 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 vert 3 ( %s ) 3 1 "
                 "numtris 2 tri 0 0 2 1 tri 1 2 3 1 numweights 4 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) "
                 "weight 2 0 1 ( 0 1 0 ) weight 3 0 1 ( 1 1 0 ) }", corners[which]);
        model = model_from(text);
        if (CHECK(model != NULL)) {
            const md5_vertex *vertices = model->meshes[0].vertices;
            for (i = 0; i < 3; ++i) {
                CHECK_NEAR(vertices[i].tangent[0], 1, 1e-6);
                CHECK_NEAR(vertices[i].tangent[1], 0, 1e-6);
            }
            CHECK_NEAR(vertices[3].tangent[3], vertices[0].tangent[3], 0);
        }
        md5_free_model(model);
    }
    model = mesh_with("\"a\" -1 ( 0 0 0 ) ( 0 0 0 )\n\"b\" 0 ( 1 2 3 ) ( 0 0 0 )\n}\nmesh {\nshader \"s\"\nnumverts 3\n"
                      "vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\n",
                      "\"a\" -1 ( 5 0 0 ) ( 0 0 0 )\n\"b\" 0 ( 5 2 3 ) ( 0 0 0 )\n}\nmesh {\nnumverts 3\n"
                      "vert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 0 1\nvert 2 ( 0 1 ) 2 1\n", NULL);
    if (CHECK(model != NULL)) { /* flat, and apart from the origin */
        CHECK_NEAR(model->min[0], 5, 0);
        CHECK_NEAR(model->max[0], 5, 0);
    }
    md5_free_model(model);
    model = mesh_with("numverts 3\nvert 0 ( 0 0 ) 0 1\nvert 1 ( 1 0 ) 1 1\nvert 2 ( 0 1 ) 2 1\n"
                      "numtris 1\ntri 0 0 2 1\n", "numverts 0\n", NULL);
    if (CHECK(model != NULL)) {
        for (i = 0; i < 3; ++i) {
            CHECK(model->min[i] == 0.0f);
            CHECK(model->max[i] == 0.0f);
        }
    }
    md5_free_model(model);
}

/* A vertex between two pictures, one of them mirrored, has the tangent of the greater part alone. */
static void test_tangents_beside_a_mirror(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } "
        "mesh { numverts 5 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 vert 3 ( 1 0 ) 3 1 "
        "vert 4 ( 1 -1 ) 4 1 numtris 2 tri 0 0 2 1 tri 1 0 4 3 numweights 5 weight 0 0 1 ( 0 0 0 ) "
        "weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 1 0 ) weight 3 0 1 ( 0 1 0 ) weight 4 0 1 ( -1 1 0 ) }");
    check_section("tangents beside a mirrored picture");
    if (CHECK(model != NULL)) {
        const md5_vertex *vertices = model->meshes[0].vertices;
        CHECK_NEAR(vertices[0].tangent[0], 1, 1e-6);
        CHECK_NEAR(vertices[0].tangent[1], 0, 1e-6);
        CHECK_NEAR(vertices[4].tangent[1], 1, 1e-6);
        CHECK_NEAR(vertices[4].tangent[3], -vertices[0].tangent[3], 0);
    }
    md5_free_model(model);
}

/* Frames that begin with the last one are put in order, every number of them. */
static void test_frames_in_order(void)
{
    static const float wanted[6] = { 4, 5, 6, 1, 2, 3 };
    md5_anim *anim = anim_with("frame 0 {", "frame 2 {", NULL);
    check_section("frames in order");
    if (CHECK(anim != NULL)) CHECK(memcmp(anim->components, wanted, sizeof wanted) == 0);
    md5_free_anim(anim);
}

/* A chain of two bones of 100: its last joint may be 0.2 % of 200 away from where it began. */
static void test_closed_by_size(void)
{
    static const char *const ends[4] = { "100.3", "100.5", "99.7", "99.5" };
    int i;
    check_section("closed, by the size of the whole");
    for (i = 0; i < 4; ++i) {
        char      text[600];
        md5_anim *anim;
        snprintf(text, sizeof text,
                 "MD5Version 10 numFrames 2 numJoints 3 frameRate 24 numAnimatedComponents 1 hierarchy { "
                 "a -1 0 0 b 0 0 0 c 1 1 0 } bounds { ( 0 0 0 ) ( 1 1 1 ) ( 0 0 0 ) ( 1 1 1 ) } baseframe { "
                 "( 0 0 0 ) ( 0 0 0 ) ( 100 0 0 ) ( 0 0 0 ) ( 100 0 0 ) ( 0 0 0 ) } "
                 "frame 0 { 100 } frame 1 { %s }", ends[i]);
        anim = md5_load_anim_memory(text, strlen(text), "", NULL, NULL);
        if (CHECK(anim != NULL)) CHECK_EQ(anim->closed, i % 2 == 0);
        md5_free_anim(anim);
    }
}

/* A triangle so thin that its angle at the first corner is no float when squared. */
static void test_thin_triangle(void)
{
    md5_model *model = model_from(
        "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) } "
        "mesh { numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 tri 0 0 2 1 "
        "numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1e10 0 0 ) weight 2 0 1 ( 1e10 1e-10 0 ) }");
    uint32_t   i, k;
    check_section("a thin triangle");
    for (i = 0; model && i < 3; ++i) {
        const md5_vertex *vertex = &model->meshes[0].vertices[i];
        double            along = 0;
        for (k = 0; k < 3; ++k) along += (double)vertex->normal[k] * (double)vertex->tangent[k];
        CHECK_NEAR(vertex->normal[2], 1, 0);
        CHECK_NEAR(along, 0, 1e-6);
        CHECK_NEAR(sqrt(square_of(vertex->tangent)), 1, 1e-6);
    }
    md5_free_model(model);
}

/* A vertex that lies beyond all floats in one direction only. */
static void test_beyond_numbers(void)
{
    static const char *const places[4] = { "3e38 0 0", "0 3e38 0", "0 0 -3e38", "2e37 2e37 2e37" };
    static const char base[] =
        "MD5Version 10 numJoints 1 numMeshes 1 joints { a -1 ( place ) ( 0 0 0 ) } mesh { numverts 1 "
        "vert 0 ( 0 0 ) 0 2 numweights 2 weight 0 0 1 ( place ) weight 1 0 1 ( place ) }";
    int i;
    check_section("beyond all numbers");
    for (i = 0; i < 4; ++i) {
        char        text[400] = "";
        const char *from = base, *at;
        md5_error   error;
        md5_model  *model;
        for (; (at = strstr(from, "place")) != NULL; from = at + 5) {
            strncat(text, from, (size_t)(at - from));
            strcat(text, places[i]);
        }
        strcat(text, from);
        model = md5_load_model_memory(text, strlen(text), NULL, &error);
        CHECK((model != NULL) == (i == 3));
        if (i < 3) check_error(&error, MD5_ERROR_CORRUPT, 0, "vertex 0 of mesh 0 lies beyond all numbers");
        md5_free_model(model);
    }
}

/* -- The same bits everywhere ----------------------------------------------- */

static uint64_t hash_pose(uint64_t hash, const md5_xform *pose, size_t count)
{
    return hash_words(hash, pose->position, count * sizeof *pose / sizeof(float));
}

typedef struct hashes {
    uint64_t loaded, sampled, mixed, added, placed, skinned, bounds, palette, motion;
} hashes;

static void hash_mesh(const md5_model *model, const md5_xform *pose, uint32_t number, hashes *sums)
{
    const md5_mesh *mesh = &model->meshes[number];
    size_t          count = mesh->vertex_count;
    float          *out = (float *)malloc_or_abort((10 * count + 1) * sizeof(float));
    memset(out, 0, (10 * count + 1) * sizeof(float));
    md5_pose_vertices(model, number, pose, out, 0, out + 3 * count, 0, out + 6 * count, 0);
    sums->skinned = hash_words(sums->skinned, out, 10 * count);
    free(out);
}

static void hash_moment(const md5_model *model, const md5_anim *anim, const md5_anim *other, double at,
                        hashes *sums)
{
    md5_xform pose[M5_JOINTS], second[M5_JOINTS], out[M5_JOINTS], motion;
    float     palette[12 * M5_JOINTS], bounds[6];
    uint32_t  i;
    md5_pose_at(anim, MD5_LOOP, at, pose);
    md5_pose_at(other, MD5_PING_PONG, at * 1.5, second);
    sums->sampled = hash_pose(hash_pose(sums->sampled, pose, M5_JOINTS), second, M5_JOINTS);
    md5_pose_mix(pose, second, (float)(at - floor(at)), NULL, M5_JOINTS, out);
    sums->mixed = hash_pose(sums->mixed, out, M5_JOINTS);
    md5_pose_bind(model, pose);
    md5_pose_add(out, second, pose, 0.75f, NULL, M5_JOINTS, out);
    sums->added = hash_pose(hash_pose(sums->added, pose, M5_JOINTS), out, M5_JOINTS);
    md5_pose_to_model_space(model, out, out);
    sums->placed = hash_pose(sums->placed, out, M5_JOINTS);
    md5_pose_palette(model, out, palette);
    sums->palette = hash_words(sums->palette, palette, 12 * M5_JOINTS);
    md5_pose_bounds(model, out, bounds, bounds + 3);
    sums->bounds = hash_words(sums->bounds, bounds, 6);
    md5_root_motion(anim, MD5_LOOP, at, at * 2 + 0.09375, &motion);
    sums->motion = hash_pose(sums->motion, &motion, 1);
    md5_pose_in_place(anim, MD5_LOOP, at, out);
    sums->motion = hash_pose(sums->motion, out, M5_JOINTS);
    for (i = 0; i < model->mesh_count; ++i) hash_mesh(model, out, i, sums);
}

static void hash_model(const md5_model *model, hashes *sums)
{
    uint32_t i, k;
    for (i = 0; i < model->joint_count; ++i) {
        sums->loaded = hash_pose(sums->loaded, &model->joints[i].bind, 1);
        sums->loaded = hash_words(sums->loaded, model->joints[i].inverse_bind, 12);
    }
    for (i = 0; i < model->mesh_count; ++i) {
        for (k = 0; k < model->meshes[i].vertex_count; ++k) {
            const md5_vertex *vertex = &model->meshes[i].vertices[k];
            sums->loaded = hash_words(sums->loaded, &vertex->u, 2);
            sums->loaded = hash_words(sums->loaded, vertex->position, 3);
            sums->loaded = hash_words(sums->loaded, vertex->normal, 3);
            sums->loaded = hash_words(sums->loaded, vertex->tangent, 4);
        }
    }
    sums->loaded = hash_words(hash_words(sums->loaded, model->min, 3), model->max, 3);
}

/* Where floats are computed as floats, every number is this one, to the bit. The times are exact, so
   that nothing is left to round here. */
static void test_bits(void)
{
    static const uint32_t flags[3] = { 0, MD5_Y_UP | MD5_FLIP_V, MD5_KEEP_WINDING };
    hashes sums;
    int    i, k, clip;
    check_section("bits");
    memset(&sums, 0, sizeof sums);
    for (i = 0; i < 3; ++i) {
        md5_options options;
        m5_text     text;
        md5_model  *model;
        md5_anim   *anim[M5_CLIPS];
        memset(&text, 0, sizeof text);
        memset(&options, 0, sizeof options);
        options.flags = flags[i];
        options.scale = i ? 0.3f : 1.0f;
        m5_arm_mesh(&text, 0);
        model = md5_load_model_memory(text.bytes, text.size, &options, NULL);
        m5_free(&text);
        if (!CHECK(model != NULL)) return;
        hash_model(model, &sums);
        for (clip = 0; clip < M5_CLIPS; ++clip) {
            m5_arm_anim(&text, clip, 0);
            anim[clip] = md5_load_anim_memory(text.bytes, text.size, NULL, &options, NULL);
            m5_free(&text);
            if (!CHECK(anim[clip] != NULL)) return;
            sums.motion = hash_words(sums.motion, anim[clip]->travel, 3);
        }
        for (clip = 0; clip < M5_CLIPS; ++clip) {
            for (k = 0; k < 20; ++k) {
                hash_moment(model, anim[clip], anim[(clip + 1) % M5_CLIPS], 0.140625 * k, &sums);
            }
        }
        for (clip = 0; clip < M5_CLIPS; ++clip) md5_free_anim(anim[clip]);
        md5_free_model(model);
    }
    if (floats_are_wider()) {
        printf("floats are computed as something wider here: their bits are not compared\n");
        return;
    }
    check_hash("loaded", sums.loaded, 0xD1057C69, 0xA81B8D20);
    check_hash("sampled", sums.sampled, 0x875516EE, 0xFC030280);
    check_hash("mixed", sums.mixed, 0xB0EFC978, 0x999A0F53);
    check_hash("added", sums.added, 0x1C089C9C, 0xE0B4726F);
    check_hash("placed", sums.placed, 0x0DA8B85E, 0x3E8F904D);
    check_hash("skinned", sums.skinned, 0x03AD1870, 0xA2C93B3D);
    check_hash("bounds", sums.bounds, 0xCB587FB1, 0xC8051080);
    check_hash("palette", sums.palette, 0x671FBD8F, 0x93A9309A);
    check_hash("motion", sums.motion, 0x6C4DDD6D, 0xAE7D08B6);
}

#define HALF_OF_THE_LEAST                                                                           \
    "700649232162408535461864791644958065640130970938257885878534141944895541342930300743319094"  \
    "181060791015625"

/* Numbers of more digits than any float needs. The last four lie just beside the middle of two floats,
   by less than a double tells, and may be either. */
static void test_long_numbers(void)
{
    static const struct {
        const char *head;
        int         zeros;
        const char *tail;
        double      value;
    } cases[] = { { "1", 130, "e-130", 1 },       { "0.", 130, "1e131", 1 },     { "1", 150, ".0e-149", 10 },
                  { "-0.", 50, "25e51", -2.5 },   { "1.", 200, "1", 1 },         { "16777217.", 130, "0", 16777216 },
                  { "16777219", 130, "0e-131", 16777220 }, { "8388609.5", 120, "00", 8388610 },
                  { "1", 37, "", 1e37 },          { "0.", 44, "1", 1.4e-45 },    { "0.", 45, "7", 0 },
                  { "0.", 45, "71", 1.4e-45 },    { "0.", 45, HALF_OF_THE_LEAST, 0 },
                  { "16777217.", 130, "1", 16777218 }, { "16777217", 130, "1e-131", 16777218 },
                  { "8388608.5", 120, "01", 8388609 }, { "0.", 45, HALF_OF_THE_LEAST "01", 1.4e-45 } };
    enum { BESIDE_THE_MIDDLE = 4 };
    size_t i, count = sizeof cases / sizeof cases[0];
    check_section("long numbers");
    for (i = 0; i < count; ++i) {
        char       text[400];
        md5_model *model;
        float      wanted = (float)cases[i].value;
        int        at = sprintf(text, "( %s", cases[i].head);
        memset(text + at, '0', (size_t)cases[i].zeros);
        sprintf(text + at + cases[i].zeros, "%s 2 3 )", cases[i].tail);
        model = mesh_with("( 1 2 3 )", text, NULL);
        check_subject(text);
        if (CHECK(model != NULL)) {
            uint32_t bits, wanted_bits;
            memcpy(&bits, &model->joints[1].bind.position[0], sizeof bits);
            memcpy(&wanted_bits, &wanted, sizeof wanted);
            CHECK(i < count - BESIDE_THE_MIDDLE ? bits == wanted_bits : bits - wanted_bits + 1 <= 2);
        }
        md5_free_model(model);
    }
    check_subject("");
}

/* Where the second joint lies along x, given its place. */
static float first_place(const char *place)
{
    md5_model *model = mesh_with("( 1 2 3 )", place, NULL);
    float      x = model ? model->joints[1].bind.position[0] : 0;
    CHECK(model != NULL);
    md5_free_model(model);
    return x;
}

/* Next to the middle of two floats either will do: a double between them cannot tell. The last two
   have 16 digits, more than some doubles hold. And of thousands of digits only the first count. */
static void test_numbers_by_the_middle(void)
{
    static const struct {
        const char *text;
        uint32_t    bits;
    } cases[] = { { "9.86734914779663", 0x411DE0A9 }, { "11.42974328994751", 0x4136E03B },
                  { "0.809077113866806", 0x3F4F1FAD }, { "0.948319822549820", 0x3F72C517 },
                  { "9.535510540008545", 0x41189174 }, { "9.492678165435791", 0x4117E202 } };
    char  *text = (char *)malloc_or_abort(5100);
    size_t i;
    check_section("numbers by the middle");
    for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        float    value;
        uint32_t bits;
        sprintf(text, "( %s 2 3 )", cases[i].text);
        value = first_place(text);
        memcpy(&bits, &value, sizeof bits);
        CHECK(bits - cases[i].bits + 1 <= 2);
    }
    for (i = 300; i < 4900; i += 200) {
        memcpy(text, "( 9", 3);
        memset(text + 3, '7', i);
        sprintf(text + 3 + i, "e-%d 2 3 )", (int)i);
        CHECK_NEAR(first_place(text), 9.7777777, 1e-5);
    }
    free(text);
}

/* -- Playing --------------------------------------------------------------- */

static void test_player(void)
{
    md5_anim  *anim = counting();
    md5_model *model = model_from("MD5Version 10 numJoints 2 joints { a -1 ( 0 7 0 ) ( 0 0 0 ) "
                                  "b 0 ( 0 7 0 ) ( 0 0 0 ) }");
    md5_model *other = model_from("MD5Version 10 numJoints 2 joints { a -1 ( 0 7 0 ) ( 0 0 0 ) "
                                  "c 0 ( 0 7 0 ) ( 0 0 0 ) }");
    md5_model *wider = model_from("MD5Version 10 numJoints 3 joints { a -1 ( 0 7 0 ) ( 0 0 0 ) "
                                  "b 0 ( 0 7 0 ) ( 0 0 0 ) c -1 ( 0 7 0 ) ( 0 0 0 ) }");
    md5_player player;
    md5_xform  pose[3], scratch[3];
    uint32_t   i;
    check_section("players");
    if (!CHECK(anim && model && other && wider)) return;
    memset(&player, 0, sizeof player);
    CHECK_EQ(md5_advance(&player, 1), 0);
    CHECK_EQ(md5_crossed(&player, 0), 0);
    md5_seek(&player, 3);
    md5_stop(&player);
    CHECK_EQ(player.track_count, 0);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[1], 7, 0);
    md5_play(&player, anim, MD5_LOOP, 0);
    CHECK_NEAR(player.speed, 1, 0);
    CHECK(!player.begun && !player.passed_start);
    CHECK_EQ(md5_advance(&player, 0), 0);
    CHECK(player.begun && player.passed_start);
    md5_seek(&player, 2);
    CHECK(player.begun && !player.passed_start);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], 2, 0);
    md5_player_pose(other, &player, pose, scratch); /* what does not fit shows the bind pose */
    CHECK_NEAR(pose[0].position[1], 7, 0);
    md5_player_pose(wider, &player, pose, scratch);
    CHECK_NEAR(pose[2].position[1], 7, 0);
    model->scale = 2;
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[1], 7, 0);
    model->scale = 1;
    model->flags ^= MD5_Y_UP;
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[1], 7, 0);
    model->flags ^= MD5_Y_UP;
    md5_seek(&player, 0);
    CHECK_EQ(md5_advance(&player, 3e38f), MD5_LOOPED);
    CHECK_EQ(md5_crossed(&player, 2), 2147483647);
    for (i = 0; i < 4; ++i) { /* four that weigh the same: none gives way */
        md5_play(&player, anim, MD5_LOOP, 1);
        md5_seek(&player, 0);
    }
    player.track_count = 4;
    player.track[1].fade = 0.5f;
    player.track[2].fade = player.track[2].fade_length / 3;
    player.track[3].fade = 0.25f;
    player.track[1].fade_length = player.track[3].fade_length = 1;
    for (i = 0; i < 4; ++i) player.track[i].time = i;
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], 1.5, 1e-5);
    player.track[2].fade = player.track[2].fade_length; /* the third hides the first two */
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], 2.25, 1e-5);
    md5_play(&player, anim, MD5_LOOP, 1);
    CHECK_EQ(player.track_count, 4);
    md5_player_pose(model, &player, pose, scratch);
    CHECK_NEAR(pose[0].position[0], 2.25, 1e-5);
    md5_free_anim(anim);
    md5_free_model(model);
    md5_free_model(other);
    md5_free_model(wider);
}

int main(void)
{
    test_edits();
    test_missing_lists();
    test_far_words();
    test_missing_bounds();
    test_meanings();
    test_lines();
    test_loaders_alike();
    test_one_failure();
    test_long_reading();
    test_limits();
    test_default_limit();
    test_retarget();
    test_retarget_one_name();
    test_retarget_axes();
    test_texture_names();
    test_odd_texture_names();
    test_times();
    test_in_place();
    test_long_rotations();
    test_closed_by_half_turns();
    test_masks();
    test_large_masks();
    test_private_palettes();
    test_vanishing_directions();
    test_thin_triangle();
    test_tangents_beside_none();
    test_tangents_beside_a_mirror();
    test_frames_in_order();
    test_closed_by_size();
    test_beyond_numbers();
    test_bits();
    test_long_numbers();
    test_numbers_by_the_middle();
    test_player();
    return check_finish();
}
