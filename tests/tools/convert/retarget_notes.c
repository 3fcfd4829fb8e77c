/* retarget_notes.c - reports how a source moves a model, and why it cannot. Public domain. */
#include "retarget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct name_list {            /* the first of some names, with commas */
    blob     text;
    uint32_t count;
} name_list;

static void list_name(name_list *l, const char *name, uint32_t most)
{
    if (l->count < most) put_format(&l->text, "%s%.60s", l->count > 0 ? ", " : "", name);
    ++l->count;
}

static const char *get_list_text(name_list *l)
{
    if (l->count == 0) put_text(&l->text, "none");
    put_byte(&l->text, 0);
    return (const char *)l->text.data;
}

/* -- The method -------------------------------------------------------------------------------- */

/* Lists the arms and feet that `own` lacks and `other` has. */
static void note_missing_limbs(const skeleton *own, const skeleton *other, const char *result)
{
    name_list list = { { NULL, 0, 0 }, 0 };
    bool      lacks_arms = true;
    for (uint32_t role = UPPER_ARM; role < THIGH; ++role) {
        if (own->bones[role] != NO_BONE || other->bones[role] == NO_BONE) lacks_arms = false;
    }
    if (lacks_arms) list_name(&list, "arms", ROLE_COUNT);
    for (uint32_t role = UPPER_ARM; role < TOES; ++role) {
        bool is_listed = lacks_arms && role < THIGH;
        bool is_missing = own->bones[role] == NO_BONE && other->bones[role] != NO_BONE;
        if (is_missing && !is_listed) list_name(&list, role_name(role), ROLE_COUNT);
    }
    if (list.count > 0) note("%s: not found: %s; %s", file_name(own->path), get_list_text(&list), result);
    free_blob(&list.text);
}

static void note_humanoids(const retargeting *r)
{
    const skeleton *target = &r->target, *source = &r->source;
    name_list       list = { { NULL, 0, 0 }, 0 };
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        uint32_t ours = target->bones[role], theirs = source->bones[role];
        char     pair[128];
        if (ours == NO_BONE || theirs == NO_BONE || r->source_of[ours] != theirs) continue;
        snprintf(pair, sizeof pair, "%.50s = %.50s", target->s->nodes[ours].name,
                 source->s->nodes[theirs].name);
        list_name(&list, pair, ROLE_COUNT);
    }
    note("%s: by limbs, because both are humanoids with different bones (%s = %s): %s",
         file_name(source->path), file_name(target->path), file_name(source->path), get_list_text(&list));
    free_blob(&list.text);
    note_missing_limbs(target, source, "these parts follow the nearest bone that was found");
    note_missing_limbs(source, target, "these limbs of the model follow the nearest bone that was found");
}

/* Lists the joints of the target that the source lacks. */
static void note_missing_joints(const retargeting *r)
{
    enum { MOST = 8 };
    const skeleton *target = &r->target;
    name_list       list = { { NULL, 0, 0 }, 0 };
    for (uint32_t i = 0; i < target->s->node_count; ++i) {
        bool is_missing = target->is_joint[i] && r->source_of[i] == NO_INDEX;
        if (is_missing) list_name(&list, target->s->nodes[i].name, MOST);
    }
    if (list.count > 0) {
        note("%s does not move %s%s: %s", file_name(r->source.path), get_list_text(&list),
             list.count > MOST ? ", ..." : "",
             list.count > 1 ? "these joints stay in the rest pose" : "this joint stays in the rest pose");
    }
    free_blob(&list.text);
}

void note_method(const retargeting *r)
{
    const char *target = file_name(r->target.path), *source = file_name(r->source.path);
    if (r->method == HUMANOIDS) {
        note_humanoids(r);
        return;
    }
    if (r->method == SAME_BONES) {
        note("%s: its bones are those of %s, so its animations are copied", source, target);
    } else {
        note("%s: by names: each joint of %s rotates away from its bind pose like the joint of the same name; "
             "the bind pose of %s is %s", source, target, source,
             has_bind_pose(r->source.s) ? "in its skin" : "not in the file, so its rest pose is used");
    }
    note_missing_joints(r);
}

/* -- Refusals ---------------------------------------------------------------------------------- */

static void list_missing_roles(name_list *list, const uint32_t bones[ROLE_COUNT])
{
    for (uint32_t role = 0; role < ROLE_COUNT; ++role) {
        bool is_missing = is_needed_role(role) && bones[role] == NO_BONE;
        if (is_missing) list_name(list, role_name(role), ROLE_COUNT);
    }
}

/* Adds "; a.glb has no head (its bones are called a, b, c, ...)" unless the skeleton is a humanoid, or "; a.glb has no
   bones". */
static void explain_missing_roles(blob *text, const skeleton *k)
{
    enum { MOST = 3 };
    name_list missing = { { NULL, 0, 0 }, 0 }, names = missing;
    if (is_humanoid(k->bones)) return;

    for (uint32_t i = 0; i < k->s->node_count; ++i) {
        bool is_named = k->is_joint[i] && has_joint_name(&k->s->nodes[i]);
        if (is_named) list_name(&names, k->s->nodes[i].name, MOST);
    }
    if (names.count > 0) list_missing_roles(&missing, k->bones);
    else list_name(&missing, "bones", 1);
    put_format(text, "; %.100s has no ", file_name(k->path));
    put_format(text, "%s", get_list_text(&missing));
    if (names.count > 0) {
        put_format(text, " (its bones are called %s%s)", get_list_text(&names), names.count > MOST ? ", ..." : "");
    }
    free_blob(&missing.text);
    free_blob(&names.text);
}

bool refuse_source(const retargeting *r)
{
    blob text = { NULL, 0, 0 };
    explain_missing_roles(&text, &r->target);
    explain_missing_roles(&text, &r->source);
    put_byte(&text, 0);
    fail(r->source.path, "it cannot move %s: by names, it moves only %u of %u joints, and by limbs, both must be "
         "humanoids%s", file_name(r->target.path), (unsigned)r->moved_count, (unsigned)r->joint_count,
         (const char *)text.data);
    free_blob(&text);
    return false;
}
