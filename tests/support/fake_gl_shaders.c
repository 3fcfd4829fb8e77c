/* The shaders and programs of fake_gl.h. Parses only as much GLSL as it needs to find uniforms and
   attributes. Public domain. */
#include "fake_gl_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned fake_glCreateShader(unsigned type)
{
    FAKE_GET("glCreateShader", 0);
    if (type != FAKE_VERTEX_SHADER && type != FAKE_FRAGMENT_SHADER) {
        fake_mistake("0x%04X", type);
        return 0;
    }
    unsigned name = fake_new(FAKE_SHADER);
    fake.object[name].shader_type = type;
    return name;
}

static void fake_glShaderSource(unsigned name, int count, const char *const *parts,
                                const int *lengths)
{
    FAKE_CALL("glShaderSource");
    fake_object *shader = fake_find(FAKE_SHADER, name);
    size_t size = 1;
    if (!shader) return;
    if (lengths) fake_mistake("lengths are given, but every part ends with NUL");
    free(shader->source);
    for (int i = 0; i < count; ++i) size += strlen(parts[i]);
    shader->source = (char *)calloc(size, 1);
    if (!shader->source) abort();
    for (int i = 0; i < count; ++i) strcat(shader->source, parts[i]);
}

/* Reads the next word or sign of GLSL; skips comments and preprocessor lines. Returns false at the end. */
static bool fake_next_word(const char **at, char word[64])
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const char *p = *at;
    for (;;) {
        p += strspn(p, " \t\r\n");
        if ((p[0] == '/' && p[1] == '/') || *p == '#') {
            p += strcspn(p, "\n");
        } else if (p[0] == '/' && p[1] == '*') {
            p = strstr(p + 2, "*/") ? strstr(p + 2, "*/") + 2 : "";
        } else {
            break;
        }
    }
    size_t length = strspn(p, letters);
    if (length == 0 && *p) length = 1;
    snprintf(word, 64, "%.*s", (int)length, p);
    *at = p + length;
    return length > 0;
}

/* Reads the declaration after `uniform` or `in`: [precision] type name [ [count] ]. */
static void fake_read_variable(const char **at, fake_variable *variable)
{
    char word[64] = "";
    do {
        if (!fake_next_word(at, word)) return;
    } while (strcmp(word, "highp") == 0 || strcmp(word, "mediump") == 0 ||
             strcmp(word, "lowp") == 0);
    snprintf(variable->type, sizeof variable->type, "%.23s", word);
    if (!fake_next_word(at, word)) return;
    snprintf(variable->name, sizeof variable->name, "%.31s", word);
    variable->count = 1;
    if (fake_next_word(at, word) && word[0] == '[' && fake_next_word(at, word))
        variable->count = atoi(word);
}

static void fake_read_shader(fake_object *shader)
{
    const char *at = shader->source;
    char word[64], before[64] = "";
    int location = -1;
    while (fake_next_word(&at, word)) {
        if (strcmp(word, "uniform") == 0 && shader->uniform_count < FAKE_UNIFORMS) {
            fake_read_variable(&at, &shader->uniform[shader->uniform_count++]);
        } else if (strcmp(word, "in") == 0 && shader->shader_type == FAKE_VERTEX_SHADER &&
                   strcmp(before, ")") == 0 && location >= 0 &&
                   shader->input_count < FAKE_ATTRIBUTES) {
            shader->input[shader->input_count].location = location;
            fake_read_variable(&at, &shader->input[shader->input_count++]);
            location = -1;
        } else if (strcmp(word, "location") == 0 && fake_next_word(&at, word) &&
                   fake_next_word(&at, word)) {
            location = atoi(word);
        }
        memcpy(before, word, sizeof before);
    }
}

static void fake_glCompileShader(unsigned name)
{
    const char *version = fake.es ? "#version 300 es\n" : "#version 330 core\n";
    FAKE_CALL("glCompileShader");
    fake_object *shader = fake_find(FAKE_SHADER, name);
    if (!shader) return;
    shader->built = shader->source && strncmp(shader->source, version, strlen(version)) == 0 &&
                    fake.refuse != shader->shader_type;
    shader->uniform_count = shader->input_count = 0;
    if (shader->built) fake_read_shader(shader);
}

static void fake_glDeleteShader(unsigned name)
{
    FAKE_CALL("glDeleteShader");
    if (name == 0) return;
    fake_object *shader = fake_find(FAKE_SHADER, name);
    if (shader) shader->live = false; /* the source stays for programs that have it attached */
}

static unsigned fake_glCreateProgram(void)
{
    FAKE_GET("glCreateProgram", 0);
    return fake_new(FAKE_PROGRAM);
}

static void fake_glAttachShader(unsigned program, unsigned shader)
{
    FAKE_CALL("glAttachShader");
    fake_object *a = fake_find(FAKE_PROGRAM, program);
    fake_object *b = fake_find(FAKE_SHADER, shader);
    if (!a || !b) return;
    int stage = b->shader_type == FAKE_FRAGMENT_SHADER;
    if (a->shaders[stage]) fake_mistake("a second shader of the same kind");
    a->shaders[stage] = shader;
}

/* Returns how many vectors of four numbers a uniform needs. */
static int fake_count_vectors(const fake_variable *variable)
{
    return strstr(variable->type, "sampler")
               ? 0
               : variable->count * (strncmp(variable->type, "mat4", 4) == 0 ? 4 : 1);
}

/* Gives the uniforms of a shader their locations. Two uniforms with the same name are one uniform. */
static void fake_link_uniforms(fake_object *program, const fake_object *shader, int limit)
{
    int k, vectors = 0;
    for (int i = 0; i < shader->uniform_count; ++i) {
        const fake_variable *uniform = &shader->uniform[i];
        vectors += fake_count_vectors(uniform);
        for (k = 0; k < program->uniform_count && strcmp(program->uniform[k].name, uniform->name) != 0;
             ++k) {}
        if (k < program->uniform_count) {
            if (strcmp(program->uniform[k].type, uniform->type) != 0 ||
                program->uniform[k].count != uniform->count) {
                fake_mistake("uniform %s differs between the shaders", uniform->name);
            }
        } else if (k < FAKE_UNIFORMS) {
            program->uniform[k] = *uniform;
            program->uniform[k].location =
                k ? program->uniform[k - 1].location + program->uniform[k - 1].count : 3;
            program->uniform_count = k + 1;
        }
    }
    if (vectors > limit) fake_mistake("the uniforms need %d vectors; only %d are guaranteed", vectors, limit);
}

static void fake_glLinkProgram(unsigned name)
{
    FAKE_CALL("glLinkProgram");
    fake_object *program = fake_find(FAKE_PROGRAM, name);
    if (!program) return;
    const fake_object *vertex = &fake.object[program->shaders[0]];
    const fake_object *fragment = &fake.object[program->shaders[1]];
    program->built = vertex->built && fragment->built && fake.refuse != FAKE_LINK_STATUS;
    if (!program->built) return;
    program->uniform_count = 0;
    /* The minimum of MAX_VERTEX_UNIFORM_VECTORS and MAX_FRAGMENT_UNIFORM_VECTORS in ES 3.0. */
    fake_link_uniforms(program, vertex, 256);
    fake_link_uniforms(program, fragment, 224);
    program->input_count = vertex->input_count;
    memcpy(program->input, vertex->input, sizeof program->input);
}

/* A deleted program still counts as a program while it is in use. */
static unsigned char fake_glIsProgram(unsigned name)
{
    FAKE_GET("glIsProgram", 0);
    return name > 0 && name <= fake.names && fake.object[name].kind == FAKE_PROGRAM &&
           fake.object[name].live;
}

void fake_glDeleteProgram(unsigned name)
{
    FAKE_CALL("glDeleteProgram");
    if (name == 0) return;
    fake_object *program = fake_find(FAKE_PROGRAM, name);
    if (!program) return;
    if (fake.state.program == name) program->delete_pending = true;
    else fake_destroy(program);
}

void fake_glUseProgram(unsigned name)
{
    fake_object *program, *old = &fake.object[fake.state.program];
    FAKE_CALL("glUseProgram");
    program = name ? fake_find(FAKE_PROGRAM, name) : NULL;
    if (name && !program) return;
    if (program && !program->built) fake_mistake("program %u is not linked", name);
    if (old->delete_pending && fake.state.program != name) {
        fake_destroy(old);
        old->delete_pending = false;
    }
    fake.state.program = name;
}

static void fake_get_status(int kind, unsigned name, unsigned what, unsigned status, int *value)
{
    fake_object *object = fake_find(kind, name);
    if (!object) return;
    if (what == status) *value = object->built;
    else if (what == FAKE_LOG_LENGTH) *value = object->built ? 0 : (int)strlen(fake.log) + 1;
    else fake_mistake("0x%04X", what);
}

static void fake_get_log(int kind, unsigned name, int size, int *length, char *log)
{
    size_t count = strlen(fake.log);
    if (!fake_find(kind, name) || size <= 0) return;
    if (count > (size_t)size - 1) count = (size_t)size - 1;
    memset(log, 0x7F, (size_t)size); /* a sanitizer reports it if the caller's memory is smaller */
    memcpy(log, fake.log, count);
    log[count] = 0;
    if (length) *length = (int)count;
}

/* Defines the pair glGetShaderiv and glGetShaderInfoLog, or the pair for programs. */
#define FAKE_GETTERS(thing, kind, status)                                                  \
    static void fake_glGet##thing##iv(unsigned name, unsigned what, int *value)                   \
    {                                                                                      \
        FAKE_CALL("glGet" #thing "iv");                                                    \
        fake_get_status(kind, name, what, status, value);             \
    }                                                                                      \
    static void fake_glGet##thing##InfoLog(unsigned name, int size, int *length, char *log)       \
    {                                                                                      \
        FAKE_CALL("glGet" #thing "InfoLog");                                               \
        fake_get_log(kind, name, size, length, log);             \
    }
FAKE_GETTERS(Shader, FAKE_SHADER, FAKE_COMPILE_STATUS)
FAKE_GETTERS(Program, FAKE_PROGRAM, FAKE_LINK_STATUS)

int fake_glGetUniformLocation(unsigned name, const char *wanted)
{
    FAKE_GET("glGetUniformLocation", -1);
    const fake_object *program = fake_find(FAKE_PROGRAM, name);
    for (int i = 0; program && i < program->uniform_count; ++i) {
        if (strcmp(program->uniform[i].name, wanted) == 0) return program->uniform[i].location;
    }
    return -1;
}

/* Returns a uniform of the program in use, or NULL for location -1, which every call ignores. */
static fake_variable *fake_find_uniform(int location, int count)
{
    fake_object *program = &fake.object[fake.state.program];
    if (!fake.state.program) {
        fake_mistake("no program is in use");
        return NULL;
    }
    if (location == -1) return NULL;
    for (int i = 0; i < program->uniform_count; ++i) {
        fake_variable *uniform = &program->uniform[i];
        if (location < uniform->location || location >= uniform->location + uniform->count) continue;
        if (count > uniform->location + uniform->count - location)
            fake_mistake("%d values for %s[%d]", count, uniform->name, uniform->count);
        uniform->set = true;
        return uniform;
    }
    fake_mistake("location %d", location);
    return NULL;
}

static void fake_glUniform1i(int location, int value)
{
    FAKE_CALL("glUniform1i");
    fake_variable *uniform = fake_find_uniform(location, 1);
    if (!uniform) return;
    if (!strstr(uniform->type, "sampler") && strcmp(uniform->type, "int") != 0 &&
        strcmp(uniform->type, "bool") != 0) {
        fake_mistake("%s is a %s", uniform->name, uniform->type);
    }
    if (strstr(uniform->type, "sampler") && (value < 0 || value >= FAKE_UNITS))
        fake_mistake("unit %d for %s", value, uniform->name);
    uniform->unit = value;
}

static void fake_set_floats(int location, int count, const char *type,
                            size_t floats, const float *values)
{
    fake_variable *uniform = fake_find_uniform(location, count);
    fake_read_bytes(values, (size_t)count * floats * sizeof(float));
    floats *= (size_t)count;
    if (uniform) memcpy(uniform->value, values, (floats < 24 ? floats : 24) * sizeof(float));
    if (uniform && strcmp(uniform->type, type) != 0)
        fake_mistake("%s is a %s", uniform->name, uniform->type);
}

static void fake_glUniform4fv(int location, int count, const float *values)
{
    FAKE_CALL("glUniform4fv");
    fake_set_floats(location, count, "vec4", 4, values);
}

void fake_glUniform1f(int location, float value)
{
    FAKE_CALL("glUniform1f");
    fake_set_floats(location, 1, "float", 1, &value);
}

const fake_entry fake_shader_entries[] = {
    FAKE_ENTRY(glAttachShader), FAKE_ENTRY(glCompileShader), FAKE_ENTRY(glCreateProgram),
    FAKE_ENTRY(glCreateShader), FAKE_ENTRY(glDeleteProgram), FAKE_ENTRY(glDeleteShader),
    FAKE_ENTRY(glGetProgramInfoLog), FAKE_ENTRY(glGetProgramiv), FAKE_ENTRY(glGetShaderInfoLog),
    FAKE_ENTRY(glGetShaderiv), FAKE_ENTRY(glGetUniformLocation), FAKE_ENTRY(glIsProgram),
    FAKE_ENTRY(glLinkProgram),
    FAKE_ENTRY(glShaderSource), FAKE_ENTRY(glUniform1f), FAKE_ENTRY(glUniform1i),
    FAKE_ENTRY(glUniform4fv), FAKE_ENTRY(glUseProgram), { NULL, NULL }
};
