/* borrow_anims.c - animations of another file, moved to the bones of this one. Public domain.

   Joints are matched by their names. Each gets the turn of its match away from how that rests, and
   the same move, scaled by the ratio of the two bones' lengths: so the skeleton keeps its own
   bones, which may have other lengths and axes. What comes out are tracks like any others. */
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct match {                /* of a node of ours */
    uint32_t theirs;                  /* NO_INDEX: it stays as it rests */
    bool     is_lacking;              /* there is none of its name */
    double   our_rest[4], their_rest[4]; /* turns in the world */
    double   our_above[4];            /* that of our parent */
    double   ratio;                   /* of the bones' lengths */
} match;

typedef struct borrowing {
    scene   *ours, *theirs;
    match   *matches;                 /* [node_count] */
    uint32_t matched_count;
} borrowing;

/* -- Turns ------------------------------------------------------------------------------------- */

static void multiply_turns(const double a[4], const double b[4], double out[4])
{
    double q[4] = { a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
                    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2] };
    memcpy(out, q, sizeof q);
}

static void turn_back(const double a[4], double out[4])
{
    double q[4] = { -a[0], -a[1], -a[2], a[3] };
    memcpy(out, q, sizeof q);
}

static void get_turn(const matrix *world, double turn[4])
{
    static const double none[4] = { 0, 0, 0, 1 };
    double              size, uneven;
    memcpy(turn, none, sizeof none);
    split_turn(world, turn, &size, &uneven);
}

/* -- Matching ---------------------------------------------------------------------------------- */

/* Some programs write the name of the rig before it: "mixamorig:Hips". */
static const char *bare_name(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon && colon[1] ? colon + 1 : name;
}

static bool is_moved(const scene *s, uint32_t node)
{
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        for (uint32_t t = 0; t < s->anims[i].track_count; ++t) {
            const scene_track *track = &s->anims[i].tracks[t];
            if (track->node == node && track->path != MOVES_WEIGHTS) return true;
        }
    }
    return false;
}

/* A mesh may have the name of the joint that moves it. */
static bool is_bound_mesh(const scene_node *n)
{
    return n->mesh != NO_INDEX && n->skin != NO_INDEX;
}

static uint32_t find_match(const scene *s, const char *name)
{
    uint32_t in_any_case = NO_INDEX;
    for (uint32_t i = 0; i < s->node_count && name[0]; ++i) {
        const scene_node *n = &s->nodes[i];
        if (is_bound_mesh(n)) continue;
        if (strcmp(n->name, name) == 0) return i;
        bool is_like = has_name(bare_name(n->name), bare_name(name));
        if (is_like && in_any_case == NO_INDEX) in_any_case = i;
    }
    return in_any_case;
}

static double length_of(const scene *s, uint32_t node)
{
    const scene_node *n = &s->nodes[node];
    double            sum = 0;
    for (int k = 0; k < 3; ++k) {
        double from = n->parent == NO_INDEX ? 0 : s->nodes[n->parent].world.m[k][3];
        sum += (n->world.m[k][3] - from) * (n->world.m[k][3] - from);
    }
    return sqrt(sum);
}

static double distance_from_origin(const scene *s, uint32_t node)
{
    const matrix *m = &s->nodes[node].world;
    return sqrt(m->m[0][3] * m->m[0][3] + m->m[1][3] * m->m[1][3] + m->m[2][3] * m->m[2][3]);
}

/* A bone without a length takes the ratio of the places of all joints. */
static void set_ratios(borrowing *b)
{
    double ours = 0, theirs = 0;
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        const match *m = &b->matches[i];
        if (m->theirs == NO_INDEX) continue;
        ours += distance_from_origin(b->ours, i);
        theirs += distance_from_origin(b->theirs, m->theirs);
    }
    double all = ours > 0 && theirs > 0 ? ours / theirs : 1;
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        match *m = &b->matches[i];
        if (m->theirs == NO_INDEX) continue;
        double own = length_of(b->ours, i), its = length_of(b->theirs, m->theirs);
        bool   has_length = own > 0.01 * ours / b->matched_count &&
            its > 0.01 * theirs / b->matched_count;
        m->ratio = has_length ? own / its : all;
    }
}

static void match_nodes(borrowing *b)
{
    b->matches = (match *)allocate(b->ours->node_count, sizeof *b->matches);
    pose_scene(b->ours, NULL, 0);
    pose_scene(b->theirs, NULL, 0);
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        const scene_node *n = &b->ours->nodes[i];
        match            *m = &b->matches[i];
        uint32_t          found = is_bound_mesh(n) ? NO_INDEX : find_match(b->theirs, n->name);
        m->is_lacking = found == NO_INDEX;
        m->theirs = found != NO_INDEX && is_moved(b->theirs, found) ? found : NO_INDEX;
        get_turn(&n->world, m->our_rest);
        m->our_above[3] = 1;
        if (n->parent != NO_INDEX) get_turn(&b->ours->nodes[n->parent].world, m->our_above);
        if (m->theirs == NO_INDEX) continue;
        ++b->matched_count;
        get_turn(&b->theirs->nodes[m->theirs].world, m->their_rest);
    }
    set_ratios(b);
}

/* -- Tracks ------------------------------------------------------------------------------------ */

/* What they move a node by, in their world, measured where its parent rests. */
static void get_move(const borrowing *b, const matrix *rest, const match *m, double move[3])
{
    const scene_node *n = &b->theirs->nodes[m->theirs];
    matrix            above = identity_matrix(), back = above;
    double            place[3] = { n->world.m[0][3], n->world.m[1][3], n->world.m[2][3] };
    if (n->parent != NO_INDEX) above = b->theirs->nodes[n->parent].world;
    if (!invert(&above, &back)) memset(&back, 0, sizeof back);
    transform(&back, place, 1, place);
    if (n->parent != NO_INDEX) above = rest[n->parent];
    else above = identity_matrix();
    transform(&above, place, 1, place);
    for (int k = 0; k < 3; ++k) move[k] = place[k] - rest[m->theirs].m[k][3];
}

/* The local place and turn of each of our nodes, with theirs posed now. `turns` are those in the
   world, parents first. */
static void borrow_pose(const borrowing *b, const matrix *our_rest, const matrix *their_rest,
                        double (*turns)[4], float *places, float *locals)
{
    for (uint32_t i = 0; i < b->ours->node_count; ++i) {
        uint32_t          node = b->ours->order[i];
        const scene_node *n = &b->ours->nodes[node];
        const match      *m = &b->matches[node];
        double            above[4] = { 0, 0, 0, 1 }, back[4], local[4], away[4], place[3];
        if (n->parent != NO_INDEX) memcpy(above, turns[n->parent], sizeof above);

        /* At rest it turns along with its parent. */
        turn_back(m->our_above, back);
        multiply_turns(back, m->our_rest, local);
        if (m->theirs != NO_INDEX) {
            get_turn(&b->theirs->nodes[m->theirs].world, away);
            turn_back(m->their_rest, back);
            multiply_turns(away, back, away);
            multiply_turns(away, m->our_rest, turns[node]);
            turn_back(above, back);
            multiply_turns(back, turns[node], local);
        } else {
            multiply_turns(above, local, turns[node]);
        }

        memcpy(place, n->place, sizeof place);
        if (m->theirs != NO_INDEX) {
            double move[3];
            matrix parent = n->parent == NO_INDEX ? identity_matrix() : our_rest[n->parent],
                inverse;
            get_move(b, their_rest, m, move);
            for (int k = 0; k < 3; ++k) move[k] *= m->ratio;
            if (invert(&parent, &inverse)) transform(&inverse, move, 0, move);
            else memset(move, 0, sizeof move);
            for (int k = 0; k < 3; ++k) place[k] += move[k];
        }
        for (int k = 0; k < 3; ++k) places[3 * (size_t)node + (size_t)k] = (float)place[k];
        for (int k = 0; k < 4; ++k) locals[4 * (size_t)node + (size_t)k] = (float)local[k];
    }
}

static scene_track *add_track(scene_anim *anim, uint32_t node, track_path path, uint32_t key_count)
{
    scene_track *t = &anim->tracks[anim->track_count++];
    t->node = node;
    t->path = path;
    t->way = WAY_LINEAR;
    t->key_count = key_count;
    t->width = path == MOVES_TURN ? 4 : 3;
    t->times = (float *)allocate(key_count, sizeof(float));
    t->values = (float *)allocate((size_t)key_count * t->width, sizeof(float));
    return t;
}

static matrix *copy_worlds(const scene *s)
{
    matrix *worlds = (matrix *)allocate(s->node_count, sizeof *worlds);
    for (uint32_t i = 0; i < s->node_count; ++i) worlds[i] = s->nodes[i].world;
    return worlds;
}

static void borrow_anim(borrowing *b, const scene_anim *from, const char *name, scene_anim *to)
{
    scene   *ours = b->ours, *theirs = b->theirs;
    double   fps = find_rate(from), length = from->end - from->start;
    uint32_t count = (uint32_t)fmin(floor(length * fps + 0.5), 65535) + 1;
    double (*turns)[4] = (double (*)[4])allocate(ours->node_count, sizeof *turns);
    float   *places = (float *)allocate(ours->node_count, 3 * sizeof(float));
    float   *locals = (float *)allocate(ours->node_count, 4 * sizeof(float));
    pose_scene(ours, NULL, 0);
    pose_scene(theirs, NULL, 0);
    matrix *our_rest = copy_worlds(ours), *their_rest = copy_worlds(theirs);

    to->name = (char *)allocate(strlen(name) + 1, 1);
    memcpy(to->name, name, strlen(name));
    to->end = (count - 1) / fps;
    to->tracks = (scene_track *)allocate(2 * (size_t)b->matched_count, sizeof *to->tracks);
    for (uint32_t i = 0; i < ours->node_count; ++i) {
        if (b->matches[i].theirs == NO_INDEX) continue;
        add_track(to, i, MOVES_PLACE, count);
        add_track(to, i, MOVES_TURN, count);
    }
    for (uint32_t key = 0; key < count; ++key) {
        pose_scene(theirs, from, fmin(from->start + key / fps, from->end));
        borrow_pose(b, our_rest, their_rest, turns, places, locals);
        for (uint32_t i = 0; i < to->track_count; ++i) {
            scene_track *t = &to->tracks[i];
            const float *row = (t->width == 4 ? locals : places) + (size_t)t->width * t->node;
            t->times[key] = (float)(key / fps);
            memcpy(t->values + (size_t)t->width * key, row, t->width * sizeof(float));
        }
    }
    free(our_rest);
    free(their_rest);
    free(turns);
    free(places);
    free(locals);
}

/* -- All of it --------------------------------------------------------------------------------- */

/* Joints of ours that move in animations or move vertices, and that the other file lacks. */
static void note_lacking(const borrowing *b, const char *path)
{
    const scene *s = b->ours;
    bool        *is_joint = (bool *)allocate(s->node_count, sizeof *is_joint);
    blob         names = { NULL, 0, 0 };
    uint32_t     count = 0;
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_skin *skin = s->instances[i].skin;
        for (uint32_t k = 0; skin && k < skin->joint_count; ++k) is_joint[skin->joints[k]] = true;
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (!is_joint[i] || !b->matches[i].is_lacking) continue;
        if (count++ < 8) put_format(&names, "%s%.60s", count > 1 ? ", " : "", s->nodes[i].name);
    }
    put_byte(&names, 0);
    if (count > 0) {
        note("%s has no %s%s: %s as in the bind pose", file_name(path), (const char *)names.data,
             count > 8 ? ", ..." : "", count > 1 ? "these joints stay" : "this joint stays");
    }
    free_blob(&names);
    free(is_joint);
}

bool borrow_anims(const job *j, scene *s, const char *path)
{
    borrowing b;
    memset(&b, 0, sizeof b);
    b.ours = s;
    b.theirs = read_scene(path, false);
    if (!b.theirs) return false;

    match_nodes(&b);
    bool is_good = true;
    if (b.theirs->anim_count == 0) is_good = fail(path, "it has no animation");
    if (is_good && b.matched_count == 0) {
        is_good = fail(path, "none of its joints has the name of one in %s", j->model);
    }
    if (is_good) {
        uint32_t    count = b.theirs->anim_count;
        char       *stem = stem_of(path);
        scene_anim *anims = (scene_anim *)allocate((size_t)s->anim_count + count, sizeof *anims);
        if (s->anim_count > 0) memcpy(anims, s->anims, s->anim_count * sizeof *anims);
        free(s->anims);
        s->anims = anims;
        note_lacking(&b, path);
        for (uint32_t i = 0; i < count; ++i) {
            const scene_anim *from = &b.theirs->anims[i];
            bool              is_only = count == 1; /* of most such files the name tells more */
            borrow_anim(&b, from, is_only ? stem : from->name, &anims[s->anim_count + i]);
        }
        s->anim_count += count;
        free(stem);
    }
    free(b.matches);
    free_scene(b.theirs);
    return is_good;
}
