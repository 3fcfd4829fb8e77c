/* An engine that has its own structs with names of md5.h. The block of the cookbook keeps them apart. Public domain. */
typedef struct md5_joint { const char *bone; } md5_joint;
typedef struct md5_mesh { md5_joint *skeleton; int triangles; } md5_mesh;

#include "collide.inc"

uint32_t count_id_meshes(const void *model);

/* Uses both kinds of meshes. */
uint32_t count_id_meshes(const void *model)
{
    const md5_model  *loaded = (const md5_model *)model;
    const id_mesh    *ours = loaded->meshes;
    const id_joint   *root = loaded->joints;
    md5_joint         bone = { root->name };
    md5_mesh          theirs = { &bone, (int)(ours->index_count / 3) };
    return theirs.triangles > 0 && theirs.skeleton->bone ? loaded->mesh_count : 0;
}
