/* read_nodes.c - reads the nodes and skins of a glTF file. Public domain. */
#include "gltf_reader.h"

#include <math.h>

/* -- Nodes ------------------------------------------------------------------------------------- */

/* Splits the matrix of a node into translation, rotation and scale. They are needed if an animation of another file
   animates only some of the three. */
static void split_matrix(scene_node *n)
{
    const matrix *m = &n->own_matrix;
    double        size = 1, uneven;
    split_rotation(m, n->rotation, &size, &uneven);
    for (int k = 0; k < 3; ++k) {
        const double column[3] = { m->m[0][k], m->m[1][k], m->m[2][k] };
        double       length = sqrt(column[0] * column[0] + column[1] * column[1] +
                                   column[2] * column[2]);
        n->translation[k] = m->m[k][3];
        n->scale[k] = size < 0 ? -length : length;
    }
}

static bool read_transform(reader *r, const json *source, scene_node *n)
{
    double columns[16];
    n->scale[0] = n->scale[1] = n->scale[2] = n->rotation[3] = 1;
    numbers_of(source, "translation", n->translation, 3);
    numbers_of(source, "rotation", n->rotation, 4);
    numbers_of(source, "scale", n->scale, 3);
    n->has_matrix = numbers_of(source, "matrix", columns, 16) == 16;
    for (int i = 0; n->has_matrix && i < 12; ++i) {
        n->own_matrix.m[i / 4][i % 4] = columns[i % 4 * 4 + i / 4];
    }
    if (n->has_matrix) split_matrix(n);
    bool is_finite = is_finite_list(n->translation, 3) && is_finite_list(n->rotation, 4) &&
                     is_finite_list(n->scale, 3) && is_finite_list(n->own_matrix.m[0], 12);
    return is_finite ? true : refuse(r, "the file is damaged: the transform of a node is not finite");
}

static bool read_node(reader *r, const json *source, scene_node *n)
{
    n->name = copy_text(text_of(source, "name", ""));
    if (!get_index(r, source, "mesh", r->s->mesh_count, &n->mesh)) return false;
    if (!get_index(r, source, "skin", r->skin_count, &n->skin)) return false;

    const scene_mesh *mesh = n->mesh == NO_INDEX ? NULL : &r->s->meshes[n->mesh];
    n->weight_count = mesh ? mesh->target_count : 0;
    if (n->weight_count > 0) {
        n->rest_weights = read_weights(source, n->weight_count, mesh->rest_weights);
        n->weights = (double *)allocate(n->weight_count, sizeof *n->weights);
    }
    return read_transform(r, source, n);
}

static bool read_children(reader *r, const json *source, uint32_t parent)
{
    const json *list = member(source, "children");
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < r->s->node_count;
        if (!is_node) return refuse(r, "the file is damaged: a node has a child that does not exist");
        scene_node *child = &r->s->nodes[(uint32_t)c->number];
        if (child->parent != NO_INDEX) return refuse(r, "the file is damaged: a node has two parents");
        child->parent = parent;
    }
    return true;
}

/* Lists the nodes with parents before their children, and otherwise in the order of the file. Refuses a node that is
   its own descendant. */
static bool order_nodes(reader *r)
{
    scene    *s = r->s;
    bool     *is_listed = (bool *)allocate(s->node_count, sizeof *is_listed);
    uint32_t *above = (uint32_t *)allocate(s->node_count, sizeof *above);
    uint32_t  listed = 0;
    s->order = (uint32_t *)allocate(s->node_count, sizeof *s->order);
    for (uint32_t i = 0; i < s->node_count; ++i) {
        uint32_t count = 0, n = i;
        while (n != NO_INDEX && !is_listed[n] && count < s->node_count) {
            above[count++] = n;
            n = s->nodes[n].parent;
        }
        bool is_circle = n != NO_INDEX && !is_listed[n];
        if (is_circle) break;
        while (count > 0) {
            n = above[--count];
            is_listed[n] = true;
            s->order[listed++] = n;
        }
    }
    release(is_listed);
    release(above);
    return listed == s->node_count ? true : refuse(r, "the file is damaged: a node is its own descendant");
}

/* Marks the nodes of the scene that the file shows. A file without a scene shows all nodes. */
static bool mark_shown_nodes(reader *r)
{
    scene      *s = r->s;
    const json *scenes = member(r->root, "scenes"), *shown = first_child(scenes);
    uint32_t    index;
    if (!get_unsigned(r, r->root, "scene", count_children(scenes), 0, &index)) return false;
    for (; shown && index > 0; --index) shown = next_child(scenes, shown);

    const json *list = member(shown, "nodes");
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < s->node_count;
        if (!is_node) return refuse(r, "the file is damaged: a scene has a node that does not exist");
        s->nodes[(uint32_t)c->number].is_shown = true;
    }
    for (uint32_t i = 0; i < s->node_count; ++i) {
        scene_node *n = &s->nodes[s->order[i]];
        bool        is_below = n->parent != NO_INDEX && s->nodes[n->parent].is_shown;
        if (is_below || !shown) n->is_shown = true;
    }
    return true;
}

/* Reads which node is which bone of a humanoid, from a VRM (1.0, an animation for it, or 0.x). Some files list
   bones that they do not have with the node -1. */
static void read_human_bones(reader *r)
{
    static const char *const extensions[] = { "VRMC_vrm", "VRMC_vrm_animation", "VRM" };
    scene      *s = r->s;
    const json *list = NULL;
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions && !list; ++i) {
        const json *extension = member(member(r->root, "extensions"), extensions[i]);
        list = member(member(extension, "humanoid"), "humanBones");
    }
    for (const json *c = first_child(list); c; c = next_child(list, c)) {
        double number = number_of(c, "node", -1);
        bool   is_node = number >= 0 && number < s->node_count;
        if (!is_node || s->nodes[(uint32_t)number].human_bone) continue;
        s->nodes[(uint32_t)number].human_bone = copy_text(c->key ? c->key : text_of(c, "bone", ""));
        s->has_human_bones = true;
    }
}

bool read_nodes(reader *r)
{
    const json *list = member(r->root, "nodes");
    uint32_t    index = 0;
    r->skin_count = count_children(member(r->root, "skins"));
    r->s->nodes = (scene_node *)list_items(r, "nodes", sizeof *r->s->nodes, &r->s->node_count);
    for (uint32_t i = 0; i < r->s->node_count; ++i) r->s->nodes[i].parent = NO_INDEX;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_node(r, source, &r->s->nodes[index])) return false;
        if (!read_children(r, source, index++)) return false;
    }
    read_human_bones(r);
    return order_nodes(r) && mark_shown_nodes(r);
}

/* -- Skins ------------------------------------------------------------------------------------- */

static bool read_skin(reader *r, const json *source, scene_skin *skin)
{
    const json     *list = member(source, "joints");
    const accessor *matrices;
    if (!get_accessor(r, source, "inverseBindMatrices", 16, &matrices)) return false;
    uint32_t count = count_children(list), i = 0;
    if (matrices && matrices->count < count) {
        return refuse(r, "the file is damaged: a skin has too few matrices");
    }
    if (matrices && !is_finite_list(matrices->numbers, (size_t)matrices->count * 16)) {
        return refuse(r, "the file is damaged: \"inverseBindMatrices\" has numbers that are not finite");
    }

    skin->joint_count = count;
    skin->has_bind_pose = matrices != NULL;
    skin->joints = (uint32_t *)allocate(count, sizeof *skin->joints);
    skin->to_joint = (matrix *)allocate(count, sizeof *skin->to_joint);
    for (const json *c = first_child(list); c; c = next_child(list, c), ++i) {
        bool is_node = c->kind == JSON_NUMBER && c->number >= 0 && c->number < r->s->node_count;
        if (!is_node) return refuse(r, "the file is damaged: a skin has a joint that does not exist");
        skin->joints[i] = (uint32_t)c->number;
        skin->to_joint[i] = identity_matrix();
        const double *columns = matrices ? matrices->numbers + 16 * (size_t)i : NULL;
        for (uint32_t k = 0; columns && k < 12; ++k) {
            skin->to_joint[i].m[k / 4][k % 4] = columns[k % 4 * 4 + k / 4];
        }
    }
    return true;
}

bool read_skins(reader *r)
{
    const json *list = member(r->root, "skins");
    scene_skin *skin = (scene_skin *)list_items(r, "skins", sizeof *skin, &r->s->skin_count);
    r->s->skins = skin;
    for (const json *source = first_child(list); source; source = next_child(list, source)) {
        if (!read_skin(r, source, skin++)) return false;
    }
    return true;
}

/* -- Instances --------------------------------------------------------------------------------- */

/* Returns true if a skin has all joints that the weights of a part use. */
static bool has_all_joints(const scene_part *part, const scene_skin *skin)
{
    size_t count = (size_t)part->vertex_count * part->influence_count;
    for (size_t i = 0; i < count; ++i) {
        bool is_used = part->weights[i] > 0;
        if (is_used && part->joints[i] >= skin->joint_count) return false;
    }
    return true;
}

bool list_instances(reader *r)
{
    scene *s = r->s;
    size_t room = 0;
    for (uint32_t i = 0; i < s->node_count; ++i) {
        if (s->nodes[i].mesh != NO_INDEX) room += s->meshes[s->nodes[i].mesh].part_count;
    }
    s->instances = (scene_instance *)allocate(room, sizeof *s->instances);

    for (uint32_t i = 0; i < s->node_count; ++i) {
        const scene_node *n = &s->nodes[s->order[i]];
        const scene_mesh *mesh = n->mesh == NO_INDEX || !n->is_shown ? NULL : &s->meshes[n->mesh];
        for (uint32_t k = 0; mesh && k < mesh->part_count; ++k) {
            scene_instance *in = &s->instances[s->instance_count];
            in->node = s->order[i];
            in->mesh = mesh;
            in->part = &mesh->parts[k];
            in->skin = n->skin == NO_INDEX ? NULL : &s->skins[n->skin];
            if (in->part->index_count == 0) continue;
            if (in->skin && !has_all_joints(in->part, in->skin)) {
                return refuse(r, "the file is damaged: a skin has a joint that does not exist");
            }
            ++s->instance_count;
        }
    }
    return true;
}
