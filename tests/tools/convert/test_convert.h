/* test_convert.h - functions that the chapters of test_convert share; test_support.c is also a part of test_retarget.
   Public domain. */
#ifndef TEST_CONVERT_H_INCLUDED
#define TEST_CONVERT_H_INCLUDED

#include "mdconvert.h"

#include "check.h"
#include "codecs.h"
#include "support.h"

/* Finds the folders of the character and of files of the tests in the command line. */
void find_folders(void);
/* Return the path of a file of the character, or of a file that a test may write. The result is
   valid for the next 31 calls. */
const char *of_character(const char *name);
const char *of_folder(const char *name);

convert_request make_request(const char *model, const char *output);
/* Returns the output file of this name, or NULL if there is none. */
const blob *find_output(const outputs *o, const char *path);
md2_model  *read_md2(const outputs *o, const char *path);
md5_model  *read_md5mesh(const outputs *o, const char *path);
md5_anim   *read_md5anim(const outputs *o, const char *path);
void        write_text(const char *path, const char *text);
void        save(const char *path, blob *file); /* frees the blob */
bool        contains(const blob *file, const char *text);

/* Returns what fail and note would have printed since the last call of forget_reported. */
const char *reported(void);
void        forget_reported(void);

void test_outputs(void);
void test_scenes(void);

#endif /* TEST_CONVERT_H_INCLUDED */
