/* scene_to_md5.c - from glTF to MD5: joints are nodes at the times of frames. Public domain.

   All is in the axes and the unit of the output here: see to_output. */
#include "mdconvert.h"
#include "from_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- The axes of the output -------------------------------------------------------------------- */

/* From the axes of glTF (Z forward, X left, Y up) and metres: (x, y, z) becomes (z, x, y) times the
   scale, on both sides of the matrix. */
static matrix to_output(const matrix *a, double scale)
{
    matrix out;
    for (int row = 0; row < 3; ++row) {
        for (int k = 0; k < 3; ++k) out.m[row][k] = a->m[(row + 2) % 3][(k + 2) % 3];
        out.m[row][3] = a->m[(row + 2) % 3][3] * scale;
    }
    return out;
}

/* Sums of rounded numbers have digits that mean nothing. */
static double to_millionths(double x)
{
    return floor(x * 1000000 + 0.5) / 1000000;
}

/* An MD5 stores no w: readers take what x y z leave of 1. Near a half turn, where w is near 0, that
   is the rounding of x y z, up to a fiftieth of a degree. So there each of them in turn, the
   largest first, moves by some of its last digits until they leave what w should be. They get ten
   decimals, which say the same to readers of floats and of doubles. */
static void round_turn(double q[4])
{
    const double near_half = 0.02, least = 0.001;
    double       wanted = 1 - q[3] * q[3];
    bool         is_exact = fabs(q[3]) > near_half, is_done[3] = { false, false, false };
    for (int k = 0; k < 3; ++k) q[k] = (double)(float)q[k];
    for (int turn = 0; turn < 3 && !is_exact; ++turn) {
        int largest = -1;
        for (int k = 0; k < 3; ++k) {
            if (!is_done[k] && (largest < 0 || fabs(q[k]) > fabs(q[largest]))) largest = k;
        }
        is_done[largest] = true;
        if (fabs(q[largest]) < least) break;
        double rest = wanted - (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        q[largest] = (double)(float)(q[largest] + rest / (2 * q[largest]));
    }
    for (int k = 0; k < 3 && !is_exact; ++k) q[k] = floor(q[k] * 1e10 + 0.5) / 1e10;
}

static void round_place(rigid *r)
{
    for (int k = 0; k < 3; ++k) r->place[k] = to_millionths(r->place[k]);
    round_turn(r->turn);
}

/* -- The skeleton ------------------------------------------------------------------------------ */

/* A joint turns and moves, and in an .md5scale it has a size. What else its node does to vertices
   at rest is in their weights: `from_node` takes a point of the node to the joint, and `to_node`
   back, both without the place. */
typedef struct bone {
    uint32_t node;
    int32_t  parent;                  /* a joint; -1 for a root */
    matrix   from_node, to_node;
    rigid    rest;
    double   reach;                   /* to the farthest of its weights */
} bone;

typedef struct joint_pose {
    rigid  place;                     /* in model space */
    double size;                      /* relative to that of the weights */
} joint_pose;

typedef struct skeleton {
    scene     *s;
    double     scale;                 /* units in a metre */
    bone      *joints;
    uint32_t   count;
    uint32_t  *joint_of;              /* [node_count] or NO_INDEX */
    double     uneven;                /* the most that a vertex is off by, of the size of its joint */
} skeleton;

/* Joints are what moves vertices, and what animations move. */
static void find_joints(skeleton *k)
{
    scene *s = k->s;
    bool  *is_joint = (bool *)allocate(s->node_count, sizeof *is_joint);
    for (uint32_t i = 0; i < s->instance_count; ++i) {
        const scene_instance *in = &s->instances[i];
        bool hangs_on_node = !in->skin;
        for (uint32_t v = 0; in->skin && v < in->part->vertex_count; ++v) {
            if (!has_weights(in->part, v)) hangs_on_node = true;
        }
        if (hangs_on_node) is_joint[in->node] = true;
        for (uint32_t j = 0; in->skin && j < in->skin->joint_count; ++j) {
            is_joint[in->skin->joints[j]] = true;
        }
    }
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        for (uint32_t t = 0; t < s->anims[i].track_count; ++t) {
            const scene_track *track = &s->anims[i].tracks[t];
            bool moves_node = track->path != MOVES_WEIGHTS && s->nodes[track->node].is_shown;
            if (moves_node) is_joint[track->node] = true;
        }
    }

    k->joints = (bone *)allocate(s->node_count, sizeof *k->joints);
    k->joint_of = (uint32_t *)allocate(s->node_count, sizeof *k->joint_of);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t node = s->order[i], above = s->nodes[node].parent;
        while (above != NO_INDEX && k->joint_of[above] == NO_INDEX) above = s->nodes[above].parent;
        k->joint_of[node] = is_joint[node] ? k->count : NO_INDEX;
        if (!is_joint[node]) continue;
        k->joints[k->count].node = node;
        k->joints[k->count++].parent = above == NO_INDEX ? -1 : (int32_t)k->joint_of[above];
    }
    free(is_joint);
}

static matrix node_matrix(const skeleton *k, const bone *j)
{
    return to_output(&k->s->nodes[j->node].world, k->scale);
}

/* A node that is squeezed to nothing at rest shows its vertices as large as they ever are. */
static void find_largest(skeleton *k, matrix *largest)
{
    double *volumes = (double *)allocate(k->count, sizeof *volumes);
    for (uint32_t i = 0; i < k->count; ++i) {
        largest[i] = node_matrix(k, &k->joints[i]);
        volumes[i] = 1e6 * fabs(determinant(&largest[i])); /* a hundred times larger, and not less */
    }
    for (uint32_t a = 0; a < k->s->anim_count; ++a) {
        const scene_anim *anim = &k->s->anims[a];
        for (uint32_t t = 0; t < anim->track_count; ++t) {
            const scene_track *track = &anim->tracks[t];
            for (uint32_t key = 0; track->path == MOVES_SIZE && key < track->key_count; ++key) {
                pose_scene(k->s, anim, (double)track->times[key]);
                for (uint32_t i = 0; i < k->count; ++i) {
                    matrix moved = node_matrix(k, &k->joints[i]);
                    if (!(fabs(determinant(&moved)) > volumes[i])) continue;
                    volumes[i] = fabs(determinant(&moved));
                    largest[i] = moved;
                }
            }
        }
    }
    free(volumes);
}

static bool is_squeezed_anywhere(skeleton *k)
{
    for (uint32_t i = 0; i < k->count; ++i) {
        matrix m = node_matrix(k, &k->joints[i]), inverse;
        double length = 0;
        for (int row = 0; row < 3; ++row) {
            for (int c = 0; c < 3; ++c) length = fmax(length, fabs(m.m[row][c]));
        }
        if (!invert(&m, &inverse) || length < 1e-3) return true;
    }
    return false;
}

static void turn_as_parent(const skeleton *k, const bone *j, double turn[4])
{
    static const double none[4] = { 0, 0, 0, 1 };
    memcpy(turn, j->parent < 0 ? none : k->joints[j->parent].rest.turn, sizeof none);
}

static void set_rest(skeleton *k)
{
    matrix *largest = (matrix *)allocate(k->count, sizeof *largest);
    pose_scene(k->s, NULL, 0);
    if (is_squeezed_anywhere(k)) find_largest(k, largest);
    else for (uint32_t i = 0; i < k->count; ++i) largest[i] = node_matrix(k, &k->joints[i]);

    pose_scene(k->s, NULL, 0);
    for (uint32_t i = 0; i < k->count; ++i) {
        bone  *j = &k->joints[i];
        matrix at_rest = node_matrix(k, j), inverse;
        double size, uneven;
        if (!split_turn(&largest[i], j->rest.turn, &size, &uneven)) {
            turn_as_parent(k, j, j->rest.turn);
        }
        for (int row = 0; row < 3; ++row) j->rest.place[row] = at_rest.m[row][3];
        round_place(&j->rest);

        rigid only_turn = j->rest;
        memset(only_turn.place, 0, sizeof only_turn.place);
        matrix turn = rigid_matrix(&only_turn), back = turn;
        invert(&turn, &back);
        for (int row = 0; row < 3; ++row) largest[i].m[row][3] = 0;
        j->from_node = multiply(&back, &largest[i]);
        if (invert(&largest[i], &inverse)) j->to_node = multiply(&inverse, &turn);
        else memset(&j->to_node, 0, sizeof j->to_node);
    }
    free(largest);
}

/* The skeleton as the scene is posed now. A joint of no size turns as its parent does. */
static void pose_joints(skeleton *k, joint_pose *poses)
{
    for (uint32_t i = 0; i < k->count; ++i) {
        const bone *j = &k->joints[i];
        matrix       node = node_matrix(k, j), moved = multiply(&node, &j->to_node);
        double       uneven = 0;
        joint_pose  *pose = &poses[i];
        for (int row = 0; row < 3; ++row) pose->place.place[row] = node.m[row][3];
        if (!split_turn(&moved, pose->place.turn, &pose->size, &uneven)) {
            const double *turn = j->parent < 0 ? j->rest.turn : poses[j->parent].place.turn;
            memcpy(pose->place.turn, turn, sizeof pose->place.turn);
            pose->size = 0;
            for (int row = 0; row < 3; ++row) {
                for (int c = 0; c < 3; ++c) uneven = fmax(uneven, fabs(moved.m[row][c]));
            }
        }
        if (pose->size < 0) uneven = fmax(uneven, -pose->size);
        pose->size = fabs(pose->size);
        if (j->reach > 0) k->uneven = fmax(k->uneven, uneven);
    }
}

/* -- Meshes ------------------------------------------------------------------------------------ */

typedef struct md5_text {             /* an MD5 as it is made */
    md5_out_joint *joints;
    md5_out_mesh  *meshes;
    uint32_t     **indices;           /* [mesh_count] */
    char         **names;             /* [joint count] */
    uint32_t       mesh_count;
} md5_text;

/* A point of a mesh as a weight has it: in the axes of its joint. */
static void set_weight(skeleton *k, const influence *from, const double shape[3],
                       md5_out_weight *weight)
{
    bone  *j = &k->joints[k->joint_of[from->node]];
    matrix to_node = to_output(from->to_node, k->scale);
    double point[3] = { shape[2] * k->scale, shape[0] * k->scale, shape[1] * k->scale };
    double square = 0;
    transform(&to_node, point, 1, point);
    transform(&j->from_node, point, 0, point);
    weight->joint = k->joint_of[from->node];
    weight->bias = from->weight;
    for (int axis = 0; axis < 3; ++axis) {
        weight->position[axis] = to_millionths(point[axis]);
        square += point[axis] * point[axis];
    }
    j->reach = fmax(j->reach, fmax(sqrt(square), 1e-6));
}

static void set_weights(skeleton *k, const scene_instance *in, md5_out_mesh *out)
{
    influence list[MOST_SCENE_INFLUENCES];
    for (uint32_t i = 0; i < in->part->vertex_count; ++i) {
        out->vertices[i].weight_count = list_vertex_influences(in, i, list);
        out->vertices[i].first_weight = out->weight_count;
        out->weight_count += out->vertices[i].weight_count;
    }
    out->weights = (md5_out_weight *)allocate(out->weight_count, sizeof *out->weights);
    for (uint32_t i = 0; i < in->part->vertex_count; ++i) {
        double   position[3], normal[3];
        uint32_t count = list_vertex_influences(in, i, list);
        get_shape(k->s, in, i, position, normal);
        for (uint32_t w = 0; w < count; ++w) {
            set_weight(k, &list[w], position, &out->weights[out->vertices[i].first_weight + w]);
        }
    }
}

static void add_mesh(skeleton *k, const scene_instance *in, const char *shader, md5_text *text)
{
    const scene_part *part = in->part;
    md5_out_mesh     *out = &text->meshes[text->mesh_count];
    text->indices[text->mesh_count++] = list_clockwise(k->s, in);
    out->shader = shader;
    out->vertex_count = part->vertex_count;
    out->index_count = part->index_count;
    out->indices = text->indices[text->mesh_count - 1];
    out->vertices = (md5_out_vertex *)allocate(part->vertex_count, sizeof *out->vertices);
    for (uint32_t i = 0; part->texcoords && i < part->vertex_count; ++i) {
        out->vertices[i].u = (double)part->texcoords[2 * (size_t)i];
        out->vertices[i].v = (double)part->texcoords[2 * (size_t)i + 1];
    }
    set_weights(k, in, out);
}

static void note_shapes(const scene *s)
{
    for (uint32_t i = 0; i < s->mesh_count; ++i) {
        const scene_mesh *mesh = &s->meshes[i];
        if (mesh->target_count == 0) continue;
        note("mesh \"%s\": its shape keys (morph targets) are left out, as an MD5 moves by joints "
             "alone; an MD2 keeps them", mesh->name);
    }
}

static md5_text make_text(skeleton *k, const paints *p)
{
    md5_text text;
    memset(&text, 0, sizeof text);
    pose_scene(k->s, NULL, 0);
    text.meshes = (md5_out_mesh *)allocate(k->s->instance_count, sizeof *text.meshes);
    text.indices = (uint32_t **)allocate(k->s->instance_count, sizeof *text.indices);
    for (uint32_t i = 0; i < k->s->instance_count; ++i) {
        const scene_instance *in = &k->s->instances[i];
        add_mesh(k, in, p->list[paint_of(p, in->part)].shader, &text);
    }
    note_shapes(k->s);

    text.joints = (md5_out_joint *)allocate(k->count, sizeof *text.joints);
    for (uint32_t i = 0; i < k->count; ++i) {
        const bone *j = &k->joints[i];
        text.joints[i].name = k->s->nodes[j->node].name;
        text.joints[i].parent = j->parent;
        memcpy(text.joints[i].position, j->rest.place, sizeof j->rest.place);
        memcpy(text.joints[i].rotation, j->rest.turn, sizeof j->rest.turn);
    }
    return text;
}

static void free_text(md5_text *text)
{
    for (uint32_t i = 0; i < text->mesh_count; ++i) {
        free(text->indices[i]);
        free(text->meshes[i].vertices);
        free(text->meshes[i].weights);
    }
    free(text->meshes);
    free(text->indices);
    free(text->joints);
}

/* -- Animations -------------------------------------------------------------------------------- */

typedef struct recording {            /* an animation, sampled */
    double        fps;
    uint32_t      frame_count;
    md5_out_part *parts;              /* [frame_count][joint count] */
    double       *sizes;              /* the same */
    double       *bounds;             /* [frame_count] lowest and highest corner */
} recording;

static rigid relative_to(const rigid *parent, const rigid *own)
{
    matrix above = rigid_matrix(parent), here = rigid_matrix(own), inverse = above;
    rigid  out;
    double size, uneven;
    invert(&above, &inverse);
    here = multiply(&inverse, &here);
    memcpy(out.turn, own->turn, sizeof out.turn);
    split_turn(&here, out.turn, &size, &uneven);
    for (int row = 0; row < 3; ++row) out.place[row] = here.m[row][3];
    return out;
}

/* Bounds hold the weights of all joints, wherever these turn them. */
static void set_bounds(const skeleton *k, const joint_pose *poses, double bounds[6])
{
    bool is_first = true;
    for (uint32_t i = 0; i < k->count; ++i) {
        double reach = k->joints[i].reach * poses[i].size;
        if (!(k->joints[i].reach > 0)) continue;
        for (int axis = 0; axis < 3; ++axis) {
            double low = poses[i].place.place[axis] - reach, high = low + 2 * reach;
            if (is_first || low < bounds[axis]) bounds[axis] = to_millionths(low);
            if (is_first || high > bounds[3 + axis]) bounds[3 + axis] = to_millionths(high);
        }
        is_first = false;
    }
}

static void record_frame(skeleton *k, recording *r, uint32_t frame, joint_pose *poses)
{
    pose_joints(k, poses);
    for (uint32_t i = 0; i < k->count; ++i) {
        size_t at = (size_t)frame * k->count + i;
        int    parent = k->joints[i].parent;
        rigid  local = parent < 0 ? poses[i].place : relative_to(&poses[parent].place,
                                                                &poses[i].place);
        round_place(&local);
        memcpy(r->parts[at].number, local.place, sizeof local.place);
        md5_stored_rotation(local.turn, r->parts[at].number + 3);
        r->sizes[at] = to_millionths(poses[i].size);
    }
    set_bounds(k, poses, r->bounds + 6 * (size_t)frame);
}

static bool record(const job *j, skeleton *k, const scene_anim *anim, const char *name,
                   recording *r)
{
    const double most_parts = 1 << 23;
    double       length = anim->end - anim->start;
    r->fps = j->fps > 0 ? (double)j->fps : find_rate(anim);
    double frames = floor(length * r->fps + 0.5) + 1;
    if (!(frames * k->count < most_parts && frames < 65536)) {
        return fail(j->model, "%s has %.0f frames of %u joints, which is too much", name, frames,
                    (unsigned)k->count);
    }

    r->frame_count = (uint32_t)frames;
    r->parts = (md5_out_part *)allocate((size_t)r->frame_count * k->count, sizeof *r->parts);
    r->sizes = (double *)allocate((size_t)r->frame_count * k->count, sizeof *r->sizes);
    r->bounds = (double *)allocate(r->frame_count, 6 * sizeof *r->bounds);
    joint_pose *poses = (joint_pose *)allocate(k->count, sizeof *poses);
    k->uneven = 0;
    for (uint32_t i = 0; i < r->frame_count; ++i) {
        pose_scene(k->s, anim, fmin(anim->start + i / r->fps, anim->end));
        record_frame(k, r, i, poses);
    }
    free(poses);
    if (k->uneven > 0.01) {
        note("%s: joints are stretched or mirrored, which no MD5 can tell: vertices are off by up "
             "to %.0f %%", name, fmin(100 * k->uneven, 9999));
    }
    return true;
}

static bool is_scaled(const recording *r, uint32_t joint_count, uint32_t joint)
{
    for (uint32_t i = 0; i < r->frame_count; ++i) {
        if (fabs(r->sizes[(size_t)i * joint_count + joint] - 1) > 1e-4) return true;
    }
    return false;
}

/* The text of an .md5scale: of each joint that changes its size, the frames in which it is not 1.
   Empty if no joint does. */
static blob write_md5scale(const md5_out_joint *joints, uint32_t joint_count, const recording *r)
{
    blob file = { NULL, 0, 0 };
    for (uint32_t i = 0; i < joint_count; ++i) {
        uint32_t written = 0;
        if (!is_scaled(r, joint_count, i)) continue;
        put_text(&file, file.size == 0 ? "{\n\t" : ",\n\t");
        put_json_string(&file, joints[i].name);
        put_text(&file, ": {");
        for (uint32_t frame = 0; frame < r->frame_count; ++frame) {
            double size = r->sizes[(size_t)frame * joint_count + i];
            if (!(size < 1 || size > 1)) continue;
            put_format(&file, "%s \"%u\": ", written++ > 0 ? "," : "", (unsigned)frame);
            put_number(&file, size);
        }
        put_text(&file, " }");
    }
    if (file.size > 0) put_text(&file, "\n}\n");
    return file;
}

static void free_recording(recording *r)
{
    free(r->parts);
    free(r->sizes);
    free(r->bounds);
}

static void add_recording(const job *j, const md5_text *text, uint32_t joint_count,
                          const char *name, const recording *r, outputs *o)
{
    md5_out_anim out;
    out.frame_count = r->frame_count;
    out.joint_count = joint_count;
    out.fps = r->fps;
    out.joints = text->joints;
    out.parts = r->parts;
    out.bounds = r->bounds;
    blob  file = write_md5anim("mdconvert", &out);
    char *path = join_path(j->output, name, ".md5anim");
    add_output(o, path, &file);
    free(path);

    file = write_md5scale(text->joints, joint_count, r);
    path = join_path(j->output, name, ".md5scale");
    if (file.size > 0) add_output(o, path, &file);
    free(path);
}

/* -- All of it --------------------------------------------------------------------------------- */

/* An .md5scale finds joints by their names, so where one is written, equal ones get numbers. */
static void tell_joints_apart(skeleton *k, const recording *recordings, uint32_t count)
{
    bool     has_sizes = false;
    uint32_t renamed = 0;
    for (uint32_t a = 0; a < count; ++a) {
        for (uint32_t i = 0; i < k->count; ++i) {
            if (is_scaled(&recordings[a], k->count, i)) has_sizes = true;
        }
    }
    if (!has_sizes) return;

    char **names = (char **)allocate(k->count, sizeof *names);
    for (uint32_t i = 0; i < k->count; ++i) {
        char **name = &k->s->nodes[k->joints[i].node].name, *old = *name;
        *name = make_unique(old, names, i);
        names[i] = *name;
        if (strcmp(old, *name) != 0) ++renamed;
        free(old);
    }
    if (renamed > 0) note("%u joints whose names others have got a number behind them", (unsigned)renamed);
    free(names);
}

static bool add_texts(const job *j, skeleton *k, const paints *p, char *const *names, outputs *o)
{
    scene     *s = k->s;
    recording *recordings = (recording *)allocate(s->anim_count, sizeof *recordings);
    set_rest(k);
    md5_text text = make_text(k, p);
    bool     is_good = true;
    for (uint32_t i = 0; i < s->anim_count && is_good; ++i) {
        progress("animations", i, s->anim_count);
        if (is_wanted(j, names[i])) is_good = record(j, k, &s->anims[i], names[i], &recordings[i]);
    }

    if (is_good) {
        tell_joints_apart(k, recordings, s->anim_count);
        for (uint32_t i = 0; i < k->count; ++i) text.joints[i].name = s->nodes[k->joints[i].node].name;
        blob file = write_md5mesh("mdconvert", text.joints, k->count, text.meshes, text.mesh_count);
        add_output(o, j->output, &file);
    }
    for (uint32_t i = 0; i < s->anim_count; ++i) {
        bool is_recorded = is_good && recordings[i].parts;
        if (is_recorded) add_recording(j, &text, k->count, names[i], &recordings[i], o);
        free_recording(&recordings[i]);
    }
    free_text(&text);
    free(recordings);
    return is_good;
}

/* As md5.h reads them; of a scene whose numbers are beyond those of an MD5, it does not. */
static bool check_texts(const job *j, const outputs *texts)
{
    md5_options options;
    md5_error   error;
    memset(&options, 0, sizeof options);
    options.max_bytes = (size_t)1 << 30;
    error.code = MD5_OK;
    for (uint32_t i = 0; i < texts->count && error.code == MD5_OK; ++i) {
        const output *text = &texts->list[i];
        if (i == 0) {
            md5_free_model(md5_load_model_memory(text->file.data, text->file.size, &options, &error));
        } else if (has_extension(text->path, ".md5anim")) {
            md5_free_anim(md5_load_anim_memory(text->file.data, text->file.size, "", &options, &error));
        }
    }
    return error.code == MD5_OK ? true : fail(j->model, "no MD5 can be made of it: %s", error.message);
}

bool scene_to_md5(const job *j, outputs *o)
{
    skeleton k;
    memset(&k, 0, sizeof k);
    k.s = open_scene(j);
    if (!k.s) return false;

    k.scale = units_per_metre(j);
    char **names = name_anims(k.s);
    bool   is_good = check_only(j, (const char *const *)names, k.s->anim_count);
    if (is_good) {
        paints p = paint_scene(j, k.s);
        find_joints(&k);
        is_good = add_texts(j, &k, &p, names, o) && check_texts(j, o);
        if (is_good) add_paint_files(j, &p, o);
        free_paints(&p);
    }
    free_names(names, k.s->anim_count);
    free(k.joints);
    free(k.joint_of);
    free_scene(k.s);
    return is_good;
}
