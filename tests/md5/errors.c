/* Tests of the contents of an error. Also replaces one line of the smallest files, and checks whether the file loads
   or, if it does not, the message and line of the error. Public domain. */
#include "test_md5.h"

static void test_error(void)
{
    md5_error error;
    CHECK(!load_edited(M5_MESH, 15, "tri 0 0 2 7", &error).loads);
    CHECK_TEXT(error.message, "a triangle has vertex 7, but the mesh has 3 vertices");
    CHECK_EQ(error.line, 15);
    CHECK_TEXT(md5_result_name(error.code), "MD5_ERROR_CORRUPT");
}

static void test_no_error(void)
{
    md5_error error;
    memset(&error, 0x5A, sizeof error);
    CHECK(keep_model(md5_load_model_memory(tiny_mesh, strlen(tiny_mesh), NULL, &error)) != NULL);
    CHECK_EQ(error.code, MD5_OK);
}

/* -- One line replaced -------------------------------------------------------- */

/* Line `line` of tiny_mesh or tiny_anim becomes `text`. The error has a result, a line and a message, and is
   empty if the text loads. */
typedef struct edit {
    int line;
    const char *text, *error;
} edit;

#define LOADS(line, text)            { line, text, "" }
#define SYNTAX(line, text, message)  { line, text, "SYNTAX " #line ": " message }
#define CORRUPT(line, text, message) { line, text, "CORRUPT " #line ": " message }
#define NOT_MD5(text) "NOT_MD5 1: not an MD5: it begins with " text " instead of MD5Version"
#define TOO_HIGH(line, count, size) \
    "CORRUPT " #line ": a count of " #count " is too high for a text of " #size " bytes: cut short?"
#define NO_PARENT(line, parent, joint) \
    "CORRUPT " #line ": joint " #joint " has the parent " #parent ", which does not exist"
#define LOOP(line, joint) "CORRUPT " #line ": joint " #joint " is its own ancestor"
#define OPEN_COMMENT "the comment that begins here never ends"
#define FEWER(line, count, listed) \
    "SYNTAX " #line ": numJoints is " #count ", but the list ends after " #listed
#define TOO_LARGE(line, number) \
    "CORRUPT " #line ": the number " #number " is too large: the limit is 1e9"
#define NOT_ANIMATED(line, start, count) \
    "CORRUPT " #line ": the numbers from " #start " on are not among the " #count \
    " animated ones"

static const edit mesh_edits[] = {
    { 1, "\xEF\xBBMD5Version 10", NOT_MD5("\xEF\xBBMD5Version") },
    { 1, "numMeshes 1", NOT_MD5("numMeshes") },
    { 1, "MD5Version 9", "VERSION 1: MD5Version 9 is not 10, 11 or 12" },
    { 1, "MD5Version 13", "VERSION 1: MD5Version 13 is not 10, 11 or 12" },
    { 1, "MD5Version 6", "VERSION 1: MD5Version 6 is from Doom 3's alpha, not 10, 11 or 12" },
    SYNTAX(1, "MD5Version -", "expected a whole number, found -"),
    SYNTAX(1, "MD5Version 10.0", "expected a whole number, found 10.0"),
    { 1, "MD5Version10", NOT_MD5("MD5Version10") },
    { 1, "\xFF\xFEM...", NOT_MD5("\xFF\xFEM") },
    { 1, "...", NOT_MD5("the end of the text") },
    SYNTAX(1, "MD5Version /* 10 x...", OPEN_COMMENT),
    SYNTAX(1, "MD5Version // /*...", "expected a whole number, found the end of the text"),
    { 1, "// \n\n/* x...", "SYNTAX 3: " OPEN_COMMENT },
    SYNTAX(2, "numJoints 2 /* open", OPEN_COMMENT),
    SYNTAX(4, "joints { \"a\" -1 /*...", OPEN_COMMENT),
    SYNTAX(3, "notes { { /* } }", OPEN_COMMENT),
    SYNTAX(8, "numMeshes 2 /* mesh {", OPEN_COMMENT),
    SYNTAX(11, "vert 0 ( 0 0 ) 0 1 /*", OPEN_COMMENT),
    { 1, "\xEF\xBB\xBF...", NOT_MD5("the end of the text") },
    SYNTAX(1, "MD5Version...", "expected a whole number, found the end of the text"),
    SYNTAX(2, "numJoints 2:", "expected a whole number, found 2:"),
    SYNTAX(2, "numJoints 2/", "expected a whole number, found 2/"),
    { 2, "numJoints 0", "SYNTAX 4: joints needs a numJoints of 1 or more before the first list" },
    CORRUPT(2, "numJoints -1", "-1 is not a possible count"),
    { 2, "numJoints 3", FEWER(7, 3, 2) },
    { 2, "numJoints 1", "SYNTAX 6: expected }, found \"" },
    { 2, "numJoints 18", TOO_HIGH(2, 18, 294) },
    CORRUPT(2, "numJoints 2147483648", "2147483648 is not a possible count"),
    CORRUPT(2, "numJoints 18446744073709551618", "18446744073709551618 is not a possible count"),
    CORRUPT(2, "numJoints 9999999999999999999", "9999999999999999999 is not a possible count"),
    { 2, "numJoints 2147483647", TOO_HIGH(2, 2147483647, 302) },
    SYNTAX(3, "{ {", "the block that begins with { never ends"),
    SYNTAX(3, "\"never ends", "the quotes before never never end"),
    { 3, "numbones 3", "VERSION 3: numbones: Doom 3's alpha format is not supported" },
    SYNTAX(3, "hierarchy {", "hierarchy: this is an animation, not a model"),
    SYNTAX(3, "commandline {", "expected a name, found {"),
    { 4, "joints", "SYNTAX 5: expected {, found \"" },
    { 4, "joints { }", FEWER(4, 2, 0) },
    { 4, "x {", "SYNTAX 20: the model has no joints" },
    { 4, "...", "SYNTAX 3: the model has no joints" },
    { 4, "numJoints 9 joints {", FEWER(7, 9, 2) },
    { 5, "\"a\" -2 ( 0 0 0 ) ( 0 0 0 )", NO_PARENT(5, -2, 0) },
    { 5, "\"a#$\" -1234 ( 0 0 0 ) ( 0 0 0 )", NO_PARENT(5, -1234, 0) },
    { 5, "\"a\" 2 ( 0 0 0 ) ( 0 0 0 )", NO_PARENT(5, 2, 0) },
    { 5, "\"a\" 0 ( 0 0 0 ) ( 0 0 0 )", LOOP(5, 0) },
    { 5, "\"a\" 1 ( 0 0 0 ) ( 0 0 0 )", LOOP(5, 0) },
    SYNTAX(3, "commandline \"open", "the quotes before open never end"),
    SYNTAX(3, "commandline \"open\n\n\"\"", "the quotes before open never end"),
    SYNTAX(5, "\"a -1 ( 0 0 0 ) ( 0 0 0 )", "the quotes before a never end"),
    SYNTAX(6, "\"b 0 ( 1 2 3 ) ( 0 0 0 )", "the quotes before b never end"),
    SYNTAX(5, "( -1 ( 0 0 0 ) ( 0 0 0 )", "expected a name, found ("),
    { 6, "\"b\" 2 ( 1 2 3 ) ( 0 0 0 )", NO_PARENT(6, 2, 1) },
    { 6, "\"b\" 1 ( 1 2 3 ) ( 0 0 0 )", LOOP(6, 1) },
    SYNTAX(6, "\"b\" 0 ( 1 2 ) ( 0 0 0 )", "expected a number, found )"),
    SYNTAX(6, "\"b\" 0 ( 1 2 3 4 ) ( 0 0 0 )", "expected ), found 4"),
    { 6, "\"b\" 0 ( 1 2 1.1e9 ) ( 0 0 0 )", TOO_LARGE(6, 1.1e9) },
    SYNTAX(6, "\"b\" 0 ( 1 2 3x ) ( 0 0 0 )", "expected a number, found 3x"),
    SYNTAX(6, "\"b\" 0 ( 1 2 3\" ( 0 0 0 )", "expected ), found \""),
    SYNTAX(7, "numJoints 3\n}", "expected }, found numJoints"),
    { 7, "}\njoints {\n}", "SYNTAX 8: a second list of joints" },
    SYNTAX(8, "mesh x", "expected {, found x"),
    SYNTAX(8, "mesh {} mesh {", "expected numverts, found }"),
    SYNTAX(8, "mesh {...", "expected }, found the end of the text"),
    SYNTAX(8, "mesh { /* } */...", "expected }, found the end of the text"),
    { 9, "shader", "SYNTAX 11: one vert more than the count of its list" },
    SYNTAX(9, "shader \"s", "the quotes before s never end"),
    SYNTAX(9, "shader \"s...", "the quotes before s never end"),
    { 9, "flags { numverts 9", "SYNTAX 20: expected }, found the end of the text" },
    { 10, "numverts 4", "SYNTAX 14: expected vert, found numtris" },
    { 10, "numverts 2", "SYNTAX 13: one vert more than the count of its list" },
    { 10, "numverts 0", "SYNTAX 11: one vert more than the count of its list" },
    { 10, "numverts 18", TOO_HIGH(10, 18, 294) },
    SYNTAX(10, "numverts 0 numverts 3", "a second numverts in one mesh"),
    CORRUPT(12, "vert 0 ( 1 0 ) 1 1", "vertex 0 is given twice"),
    CORRUPT(12, "vert 3 ( 1 0 ) 1 1", "vertex 3 is out of range: there are 3"),
    CORRUPT(12, "vert -1 ( 1 0 ) 1 1", "vertex -1 is out of range: there are 3"),
    SYNTAX(12, "vert 1. ( 1 0 ) 1 1", "expected a whole number, found 1."),
    SYNTAX(12, "vert 1 ( 1 0 0 ) 1 1", "expected ), found 0"),
    CORRUPT(12, "vert 1 ( 1 0 ) 1 3", "vertex 1 has weights beyond the 3 of its mesh"),
    CORRUPT(12, "vert 1 ( 1 0 ) 3 1", "vertex 1 has weights beyond the 3 of its mesh"),
    CORRUPT(12, "vert 1 ( 1 0 ) 2147483646 64", "vertex 1 has weights beyond the 3 of its mesh"),
    CORRUPT(12, "vert 1 ( 1 0 ) 2147483647 1", "2147483647 is not a possible first weight"),
    CORRUPT(12, "vert 1 ( 1 0 ) -1 1", "-1 is not a possible first weight"),
    CORRUPT(12, "vert 1 ( 1 0 ) 1 65", "a vertex has 65 weights: at most 64 are possible"),
    CORRUPT(12, "vert 1 ( 1 0 ) 1 -1", "a vertex has -1 weights: at most 64 are possible"),
    { 12, "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ", "SYNTAX 13: expected vert, found 2" },
    SYNTAX(12, "vert 1 ( 1 0 ) 1 1 }", "expected vert, found }"),
    CORRUPT(13, "vert 4294967298 ( 0 1 ) 2 1", "vertex 4294967298 is out of range: there are 3"),
    SYNTAX(13, "vert 2: ( 0 1 ) 2 1", "expected a whole number, found 2:"),
    SYNTAX(13, "vert ...", "expected a whole number, found the end of the text"),
    { 13, "vert /*\n*/ 9 ( 0 1 ) 2 1", "CORRUPT 14: vertex 9 is out of range: there are 3" },
    SYNTAX(13, "verx 2 ( 0 1 ) 2 1", "expected vert, found verx"),
    { 14, "numtris 2", "SYNTAX 16: expected tri, found numweights" },
    { 14, "numtris 0", "SYNTAX 15: one tri more than the count of its list" },
    { 14, "numtris 99", TOO_HIGH(14, 99, 294) },
    SYNTAX(14, "numtris 0 numtris 1", "a second numtris in one mesh"),
    { 14, "numtris 2\ntri 0 0 2 1", "CORRUPT 16: triangle 0 is given twice" },
    { 15, "tri 0 0 2 1\ntri 0 0 2 1", "SYNTAX 16: one tri more than the count of its list" },
    CORRUPT(15, "tri 0 0 2 3", "a triangle has vertex 3, but the mesh has 3 vertices"),
    CORRUPT(15, "tri 0 0 3 1", "a triangle has vertex 3, but the mesh has 3 vertices"),
    CORRUPT(15, "tri 0 3 2 1", "a triangle has vertex 3, but the mesh has 3 vertices"),
    CORRUPT(15, "tri 1 0 2 1", "triangle 1 is out of range: there are 1"),
    CORRUPT(15, "tri 0 0 -2 1", "a triangle has vertex -2, but the mesh has 3 vertices"),
    { 16, "numweights 2", "SYNTAX 19: one weight more than the count of its list" },
    { 16, "numweights 4", "SYNTAX 20: expected weight, found }" },
    SYNTAX(16, "numweights 0 numweights 3", "a second numweights in one mesh"),
    { 16, "numweights 99", TOO_HIGH(16, 99, 294) },
    CORRUPT(18, "weight 0 0 1 ( 1 0 0 )", "weight 0 is given twice"),
    CORRUPT(18, "weight 3 0 1 ( 1 0 0 )", "weight 3 is out of range: there are 3"),
    CORRUPT(18, "weight 1 2 1 ( 1 0 0 )", "a weight has joint 2, but the model has 2 joints"),
    CORRUPT(18, "weight 1 -1 1 ( 1 0 0 )", "a weight has joint -1, but the model has 2 joints"),
    SYNTAX(18, "weight 1 0 x ( 1 0 0 )", "expected a number, found x"),
    SYNTAX(18, "weight 1 0 1 ( 1 0 )", "expected a number, found )"),
    SYNTAX(18, "weights 1 0 1 ( 1 0 0 )", "expected weight, found weights"),
    SYNTAX(19, "weight 2 1 1 ( 0 1 0 )...", "expected }, found the end of the text"),
    /* These load. */
    LOADS(1, "MD5Version 10 // said so"), LOADS(1, "/* first */MD5Version/**/10"),
    LOADS(1, "\xEF\xBB\xBFMD5Version 10"), LOADS(1, "md5VERSION 11"), LOADS(1, ""),
    LOADS(1, "commandline \"x\""), LOADS(1, "\xEF\xBB\xBF// no version"), LOADS(1, "numFrames 10"),
    LOADS(1, "MD5Version 12"), LOADS(1, "MD5Version +10"), LOADS(3, "numMeshes 0"),
    LOADS(3, "numMeshes 2"), LOADS(3, "x/y \"}\" z"), LOADS(3, "{ { } } ( ) \"{\" x"),
    LOADS(3, "} )"), LOADS(3, "mesh { numverts 0 } mesh { numverts 0 } numMeshes 1"),
    LOADS(3, "commandline unquoted"), LOADS(3, "commandline \"x\ny\""),
    LOADS(5, "\"a\n\" -1 ( 0 0 0 ) ( 0 0 0 )"), LOADS(5, "\"a/*\" -1 ( 0 0 0 ) ( 0 0 0 )"),
    LOADS(5, "a -1 ( 0 0 0 ) ( 0 0 0 )"), LOADS(5, "a//b\n-1 ( 0 0 0 ) ( 0 0 0 )"),
    LOADS(5, "a/*b*/-1 ( 0 0 0 ) ( 0 0 0 )"), LOADS(5, "\"a\"-1 ( 0 0 0 ) ( 0 0 0 )"),
    LOADS(5, "\"\" -1 ( 0 0 0 ) ( 0 0 0 )"),
    LOADS(5, "\"a\" 1 ( 0 0 0 ) ( 0 0 0 ) \"b\" -1 ( 1 2 3 ) ( 0 0 0 ) } meshDisabled {"), LOADS(6, "\"b\" -1 ( 1 2 3 ) ( 0 0 0 )"),
    LOADS(6, "\"b\" 0 (1 2 3) ( 0 0 0 )"), LOADS(6, "\"b\" 0 ( 1 2 1e9 ) ( 0 0 -1000000000.0 )"),
    LOADS(6, "\"b\" 0 ( 1 2 1e-99999999999999999999 ) ( 0 0 0 )"), LOADS(7, "}\nnumJoints 3"),
    LOADS(7, "}\nMD5Version 10"), LOADS(8, "meshDisabled {"), LOADS(8, "mesh/* { */{"),
    LOADS(8, "mesh { numverts 0 } mesh {"), LOADS(9, "// } numverts 9"),
    LOADS(9, "name \"numverts 9 { }\""), LOADS(9, "flags { numverts 9 }"),
    LOADS(10, "xnumverts 99999 numverts 3"), LOADS(10, "NumVerts 3"),
    LOADS(12, "vert +1 ( 1 0 ) 1 1"), LOADS(12, "vert 0000000001 ( 1 0 ) 1 1"),
    LOADS(12, "vert 1( 1 0 )1 1"), LOADS(12, "vert 1 ( 1 0 ) 99 0"), LOADS(12, "vert 1 ( 1 0 ) 1 2"),
    LOADS(12, "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ) ( 1 1 1 1 ) ( )"),
    LOADS(12, "vert 1 ( 1 0 ) 1 1 ( 0 0 1 ) ( x )"),
    LOADS(13, "vert 0000000000000000000000000002 ( 0 1 ) 2 1"),
    LOADS(19, "weight 2 1 1 ( 0 1 0 )\nx { y } \"z\""), LOADS(20, "} /* never ends")
};

static const edit anim_edits[] = {
    { 1, "junk", NOT_MD5("junk") },
    { 2, "numFrames 0", "SYNTAX 6: hierarchy needs a numFrames of 1 or more before the first list" },
    { 2, "numFrames 3", "SYNTAX 23: expected frame, found the end of the text" },
    { 2, "numFrames 29", TOO_HIGH(2, 29, 251) },
    SYNTAX(2, "joints", "joints: this is a model, not an animation"),
    { 2, "numbones 7", "VERSION 2: numbones: Doom 3's alpha format is not supported" },
    { 2, "bone 7", "VERSION 2: bone: Doom 3's alpha format is not supported" },
    { 2, "numchannels 7", "VERSION 2: numchannels: Doom 3's alpha format is not supported" },
    { 2, "channel 7", "VERSION 2: channel: Doom 3's alpha format is not supported" },
    SYNTAX(2, "numCuts 7", "numCuts: this is a camera, not a model or an animation"),
    SYNTAX(2, "mesh { } MD5Version 10", "expected hierarchy, found MD5Version"),
    { 2, "", "SYNTAX 6: hierarchy needs a numFrames of 1 or more before the first list" },
    { 3, "numJoints 0", "SYNTAX 6: hierarchy needs a numJoints of 1 or more before the first list" },
    { 3, "numJoints 1", "SYNTAX 8: expected }, found \"" },
    { 3, "numJoints 13", TOO_HIGH(3, 13, 251) },
    { 3, "", "SYNTAX 6: hierarchy needs a numJoints of 1 or more before the first list" },
    SYNTAX(4, "frameRate x", "expected a number, found x"),
    CORRUPT(4, "frameRate 1e-30", "a frameRate must be 0.001 or more, found 1e-30"),
    CORRUPT(4, "frameRate 0.000999", "a frameRate must be 0.001 or more, found 0.000999"),
    { 5, "numAnimatedComponents 0", NOT_ANIMATED(7, 0, 0) },
    { 5, "numAnimatedComponents 4", "SYNTAX 20: expected a number, found }" },
    CORRUPT(5, "numAnimatedComponents -3", "-3 is not a possible count"),
    { 5, "numAnimatedComponents 70",
      "CORRUPT 6: 2 frames of 70 numbers are too many for this text" },
    { 5, "numAnimatedComponents 2147483647",
      "CORRUPT 6: 2 frames of 2147483647 numbers are too many for this text" },
    { 5, "numAnimatedComponents 1073741824", /* their bytes are 0 in 32 bits */
      "CORRUPT 6: 2 frames of 1073741824 numbers are too many for this text" },
    { 5, "", "SYNTAX 6: hierarchy needs numAnimatedComponents before the first list" },
    { 7, "\"a\" -1 7 1", NOT_ANIMATED(7, 1, 3) },
    { 7, "\"a\" -1 7 -1", NOT_ANIMATED(7, -1, 3) },
    CORRUPT(7, "\"a\" -1 64 0", "the flags 64 must be below 64"),
    { 7, "\"a\" -1 63 0", NOT_ANIMATED(7, 0, 3) },
    { 7, "\"a\" 2 7 0", NO_PARENT(7, 2, 0) },
    { 7, "\"a\" 0 7 0", LOOP(7, 0) },
    { 7, "\"a\" 1 7 0", LOOP(7, 0) },
    SYNTAX(7, "( -1 7 0", "expected a name, found ("),
    { 7, "...", "SYNTAX 6: expected a name, found the end of the text" },
    SYNTAX(7, "\"a\" -1 7 /**/...", "expected a whole number, found the end of the text"),
    { 8, "\"b\" 1 0 0", LOOP(8, 1) },
    { 8, "", FEWER(9, 2, 1) },
    { 8, "\"b\" 0 1 3", NOT_ANIMATED(8, 3, 3) },
    SYNTAX(8, "\"b\" 0 0 0 0", "expected }, found 0"),
    SYNTAX(9, "hierarchy {", "expected }, found hierarchy"),
    { 9, "}\nhierarchy {\n\"a\" -1 7 0\n\"b\" 0 0 0\n}", "SYNTAX 10: a second hierarchy" },
    { 10, "bounds", "SYNTAX 11: expected {, found (" },
    { 10, "bounds { (", "SYNTAX 11: expected a number, found (" },
    { 11, "( 0 0 0 )", "SYNTAX 13: expected (, found }" },
    { 14, "baseframe", "SYNTAX 15: expected {, found (" },
    SYNTAX(14, "baseframe { x", "expected (, found x"),
    CORRUPT(14, "frame 5 { 1 2 3 } frame 6 { 1 2 3 } frame 7 { 1 2 3 } baseframe {",
            "numFrames is 2, but there is also frame 7"),
    { 14, "other {", "SYNTAX 23: expected baseframe, found the end of the text" },
    { 16, "", FEWER(17, 2, 1) },
    SYNTAX(16, "( 1 0 0 ) ( 0 0 0 ) ( 0 0 0 )", "expected }, found ("),
    { 16, "( 1 0 0 ) ( 1e30 1e-5 0 )", TOO_LARGE(16, 1e30) },
    SYNTAX(18, "frame 0 {...", "expected a number, found the end of the text"),
    { 18, "frame 4 {", "CORRUPT 21: expected frame 5, found frame 1" },
    CORRUPT(18, "frame -1 {", "frame -1 is out of range"),
    { 18, "frame 1 {", "CORRUPT 21: expected frame 2, found frame 1" },
    { 21, "frame 0 {", "CORRUPT 21: expected frame 1, found frame 0" },
    { 21, "frame 2 {", "CORRUPT 21: expected frame 1, found frame 2" },
    CORRUPT(18, "frame 2147483647 {", "frame 2147483647 is out of range"),
    SYNTAX(18, "frame 0 x {", "expected {, found x"),
    SYNTAX(18, "frame /**/...", "expected a whole number, found the end of the text"),
    { 18, "...", "SYNTAX 17: expected frame, found the end of the text" },
    { 19, "1 2", "SYNTAX 20: expected a number, found }" },
    SYNTAX(19, "1 2 3 4", "expected }, found 4"),
    { 19, "1 2 3e38", TOO_LARGE(19, 3e38) },
    SYNTAX(19, "1,2,3", "expected a number, found 1,2,3"),
    { 22, "4 5 6...", "SYNTAX 22: expected }, found the end of the text" },
    SYNTAX(22, "4 5 6 /* } */...", "expected }, found the end of the text"),
    SYNTAX(17, "} /* frames {", OPEN_COMMENT),
    /* These load. */
    LOADS(1, "MD5Version 10 commandline \"x\""), LOADS(1, "MD5Version 11"), LOADS(1, ""),
    LOADS(1, "commandline \"\""), LOADS(1, "numJoints 2"), LOADS(2, "numFrames 1"),
    LOADS(4, "frameRate 0"), LOADS(4, "frameRate -1"), LOADS(4, "frameRate 0.001"), LOADS(4, ""),
    LOADS(7, "\"a\" -1 6 1"), LOADS(7, "\"a\" -1 56 0"), LOADS(8, "\"b\" 0 0 99"),
    LOADS(8, "\"b\" 0 0 -99"), LOADS(8, "\"b\" 0 1 2"), LOADS(9, "}\nnumJoints 9"), LOADS(10, "bounds { } bounds {"),
    LOADS(10, "bounds { x"), LOADS(11, "( 0 0 0 ) ( 1 1 1 ) ( 2 2 2 ) ( 3 3 3 )"), LOADS(11, ""),
    LOADS(12, "( 0 0 0 ) ( 1 1 1 ) x frame 0 { 4 5 6 }"), LOADS(19, "1 -1e9 1e9"),
    LOADS(22, "4 5 6 } frame 2 { 1 2 3 }..."),
    LOADS(22, "4 5 6 } }}} \"...")
};

enum {
    MESH_EDITS = sizeof mesh_edits / sizeof mesh_edits[0],
    ANIM_EDITS = sizeof anim_edits / sizeof anim_edits[0]
};

static void check_edits(const edit *edits, size_t count, int kind)
{
    for (size_t i = 0; i < count; ++i) {
        const edit *one = &edits[i];
        md5_error error;
        char got[300] = "";
        check_scene("line %d of the smallest %s is %s", one->line,
                    kind == M5_MESH ? "mesh" : "animation", *one->text ? one->text : "empty");
        loaded_text text = load_edited(kind, one->line, one->text, &error);
        if (error.code != MD5_OK) {
            snprintf(got, sizeof got, "%s %u: %s",
                     md5_result_name(error.code) + strlen("MD5_ERROR_"), (unsigned)error.line,
                     error.message);
        }
        CHECK_TEXT(got, one->error);
        CHECK_EQ(text.loads, error.code == MD5_OK);
        free_text(&text);
    }
}

static void test_edited_mesh(void) { check_edits(mesh_edits, MESH_EDITS, M5_MESH); }
static void test_edited_anim(void) { check_edits(anim_edits, ANIM_EDITS, M5_ANIM); }

/* The parents of the first joint are a loop, but the first joint is not in the loop. */
static void test_joint_loop(void)
{
    static const char text[] = "MD5Version 10 numJoints 3 numMeshes 0 joints {\na 1 ( 0 0 0 ) ( 0 0 0 )\n"
                               "b 2 ( 0 0 0 ) ( 0 0 0 )\nc 1 ( 0 0 0 ) ( 0 0 0 )\n}";
    md5_error error;
    CHECK(!md5_load_model_memory(text, strlen(text), NULL, &error));
    check_error(&error, MD5_ERROR_CORRUPT, 3, "joint 1 is its own ancestor");
}

/* A number at the end of the text, and a count, must not be called missing. */
static void test_ends_and_counts(void)
{
    static const struct { const char *text, *message; } cases[] = {
        { "MD5Version 10", "the model has no joints" },
        { "MD5Version 10 commandline \"\" numJoints 1 \n", "the model has no joints" },
        { "MD5Version 10 numJoints 1 joints { a -1 ( 0 0 0.25",
          "expected ), found the end of the text" },
        { "MD5Version 10 numJoints \n", "expected a whole number, found the end of the text" },
        { "MD5Version 10 mesh { numverts 0 } numJoints 1 joints { }",
          "joints needs a numJoints of 1 or more before the first list" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        md5_error error;
        check_scene("%s", cases[i].text);
        CHECK(!md5_load_model_memory(cases[i].text, strlen(cases[i].text), NULL, &error));
        CHECK_EQ(error.code, MD5_ERROR_SYNTAX);
        CHECK_TEXT(error.message, cases[i].message);
    }
}

/* -- Lines and numbers ---------------------------------------------------------- */

static void test_line_ends(void)
{
    static const struct {
        const char *text, *spelled;
        uint32_t line;
    } cases[] = {
#define CASE(text, line) { text, #text, line }
        CASE("x", 1), CASE("\n\nx", 3), CASE("\r\rx", 3), CASE("\r\n\r\nx", 3), CASE("\n\rx", 3),
        CASE("\r\n\rx", 3), CASE("\n\r\nx", 3), CASE("\r\r\nx", 3), CASE("// \r\n// \nx", 3),
        CASE("/*\n\r\n\r*/x", 4), CASE("//\rx", 2), CASE("\r x\r\r", 2)
#undef CASE
    };
    md5_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_scene("the line of x in %s", cases[i].spelled);
        CHECK(!md5_load_model_memory(cases[i].text, strlen(cases[i].text), NULL, &error));
        check_error(&error, MD5_ERROR_NOT_MD5, cases[i].line,
                    "not an MD5: it begins with x instead of MD5Version");
    }
}

/* In the first text, the next byte would complete a comment; in the second, the keyword. */
static void test_behind_the_end(void)
{
    md5_error error;
    CHECK(!md5_load_model_memory("MD5Version // 10", strlen("MD5Version /"), NULL, &error));
    check_error(&error, MD5_ERROR_SYNTAX, 1, "expected a whole number, found /");
    CHECK(!md5_load_model_memory("MD5Version 10", strlen("MD5Versio"), NULL, &error));
    check_error(&error, MD5_ERROR_NOT_MD5, 1,
                "not an MD5: it begins with MD5Versio instead of MD5Version");
}

static void test_vertex_line(void)
{
    static const char text[] =
        "MD5Version 12 numJoints 1 numMeshes 1 joints { a -1 ( 0 0 0 ) ( 0 0 0 ) }\n"
        "mesh { numverts 3\nvert 0 ( 0 0 ) 0 1 ( vert x )\nvert 1 ( 0 0 ) 0 1 ( vert 2 )\n"
        "vert 2 ( 0 0 ) 0 2\nnumweights 1 weight 0 0 1 ( 0 0 0 ) }";
    md5_error error;
    CHECK(!md5_load_model_memory(text, strlen(text), NULL, &error));
    check_error(&error, MD5_ERROR_CORRUPT, 5, "vertex 2 has weights beyond the 1 of its mesh");
}

void test_errors(void)
{
    RUN(test_error, "an error has a sentence, a line and a result");
    RUN(test_no_error, "on success the error's code is MD5_OK");
    RUN(test_edited_mesh, "a mesh with one line replaced loads, or the error gives the reason");
    RUN(test_edited_anim, "an animation with one line replaced loads, or the error gives the reason");
    RUN(test_joint_loop, "only a joint inside a loop is reported as its own ancestor");
    RUN(test_ends_and_counts, "nothing that the text has is reported as missing");
    RUN(test_line_ends, "line ends of every system count as one line");
    RUN(test_behind_the_end, "nothing after the end of a text is read");
    RUN(test_vertex_line, "the line of a bad vertex is found after text that looks like a vertex");
}
