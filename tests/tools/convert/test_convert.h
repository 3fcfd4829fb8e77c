/* test_convert.h - the chapters of test_convert, and what they share. Public domain. */
#ifndef TEST_CONVERT_H_INCLUDED
#define TEST_CONVERT_H_INCLUDED

#include "mdconvert.h"

#include "check.h"
#include "codecs.h"
#include "support.h"

/* Paths of the character's files, and of files that a test may write; good until 31 more are asked for. */
const char *of_character(const char *name);
const char *of_folder(const char *name);

convert_request make_request(const char *model, const char *output);
/* Returns the output file of this name, or NULL if there is none. */
const blob *find_output(const outputs *o, const char *path);
md2_model  *read_md2(const outputs *o, const char *path);
md5_model  *read_md5mesh(const outputs *o, const char *path);
void        write_text(const char *path, const char *text);
void        save(const char *path, blob *file); /* frees the blob */
bool        holds(const blob *file, const char *text);

/* What fail and note would print, since the last call of the second. */
const char *reported(void);
void        forget_reported(void);

void test_outputs(void);
void test_scenes(void);

#endif /* TEST_CONVERT_H_INCLUDED */
