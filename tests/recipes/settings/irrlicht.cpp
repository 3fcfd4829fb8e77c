/* irrlicht: md2.h and md5.h in an engine, Irrlicht 1.8, which has meshes, materials, lights,
   a camera and a software renderer of its own. From the left: the MD5 and the MD2, both posed straight into
   the engine's vertices, and the same MD2 by the engine's own reader. All three are the same character in the
   same frame, so each picture checks the others. irrlicht.png gets the last frame. Public domain. */
#include <irrlicht/irrlicht.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MD2_IMPLEMENTATION
#include "md2.h"
#define MD5_IMPLEMENTATION
#include "md5.h"

using namespace irr;

enum { SIDE = 300, MOST_JOINTS = 64 };

/* -- The engine's mesh ---------------------------------------------------------------------------- */

struct body {
    scene::SMeshBuffer    *buffer;
    scene::SMesh          *mesh;
    scene::IMeshSceneNode *node;
};

/* The engine is left-handed and takes clockwise triangles as seen from the front. So the models are loaded
   as stored in that respect (KEEP_WINDING), and the node turns z round. */
template <class vertex>
static body make_body(scene::ISceneManager *scene, const vertex *vertices, u32 vertex_count, const u32 *indices,
                      u32 index_count)
{
    body b;
    assert(vertex_count <= 65535);
    b.buffer = new scene::SMeshBuffer;
    b.buffer->Vertices.set_used(vertex_count);
    b.buffer->Indices.set_used(index_count);
    for (u32 i = 0; i < vertex_count; ++i) {
        b.buffer->Vertices[i].Color.set(0xffffffff);
        b.buffer->Vertices[i].TCoords.set(vertices[i].u, vertices[i].v);
    }
    for (u32 i = 0; i < index_count; ++i) {
        b.buffer->Indices[i] = (u16)indices[i];
    }
    b.buffer->setHardwareMappingHint(scene::EHM_STREAM, scene::EBT_VERTEX);
    b.mesh = new scene::SMesh;
    b.mesh->addMeshBuffer(b.buffer);
    b.node = scene->addMeshSceneNode(b.mesh);
    b.node->setScale(core::vector3df(1, 1, -1));
    return b;
}

/* After the vertices were written: they go to the GPU again, and the bounds to the engine's culling. */
static void show_body(body &b, const f32 *min, const f32 *max)
{
    b.buffer->BoundingBox = core::aabbox3df(min[0], min[1], min[2], max[0], max[1], max[2]);
    b.mesh->recalculateBoundingBox();
    b.buffer->setDirty(scene::EBT_VERTEX);
}

static void pose_knight(const md2_model *knight, const md2_anim *run, double seconds, body &b)
{
    f32 min[3], max[3];
    video::S3DVertex *v = b.buffer->Vertices.pointer();
    md2_pose pose = md2_pose_at(run, MD2_LOOP, seconds);
    md2_pose_vertices(knight, &pose, &v->Pos.X, sizeof *v, &v->Normal.X, sizeof *v);
    md2_pose_bounds(knight, &pose, min, max);
    show_body(b, min, max);
}

static void pose_robot(const md5_model *robot, const md5_anim *run, double seconds, body &b)
{
    f32 min[3], max[3];
    md5_xform pose[MOST_JOINTS];
    video::S3DVertex *v = b.buffer->Vertices.pointer();
    md5_pose_at(run, MD5_LOOP, seconds, pose);
    md5_pose_to_model_space(robot, pose, pose);
    md5_pose_vertices(robot, 0, pose, &v->Pos.X, sizeof *v, &v->Normal.X, sizeof *v, NULL, 0);
    md5_pose_bounds(robot, pose, min, max);
    show_body(b, min, max);
}

/* -- The pictures ----------------------------------------------------------------------------------- */

static bool is_drawn(const video::SColor &c) { return c.getRed() + c.getGreen() + c.getBlue() > 0; }

static bool is_near(const video::SColor &a, const video::SColor &b)
{
    return abs((int)a.getRed() - (int)b.getRed()) <= 40 && abs((int)a.getGreen() - (int)b.getGreen()) <= 40 &&
           abs((int)a.getBlue() - (int)b.getBlue()) <= 40;
}

/* How many pixels of one third of the picture differ from those of the middle third, which is the MD2. */
static int count_different(video::IImage *picture, u32 third)
{
    int different = 0;
    for (u32 i = 0; i < SIDE * SIDE; ++i) {
        u32 x = i % SIDE, y = i / SIDE;
        different += !is_near(picture->getPixel(third * SIDE + x, y), picture->getPixel(SIDE + x, y));
    }
    return different;
}

static bool check_picture(video::IImage *picture, int frame)
{
    int drawn = 0, red = 0;
    for (u32 i = 0; i < SIDE * SIDE; ++i) {
        video::SColor c = picture->getPixel(SIDE + i % SIDE, i / SIDE);
        drawn += is_drawn(c);
        red += c.getRed() > 2 * c.getGreen() + 20 && c.getRed() > 2 * c.getBlue() + 20;
    }
    int robot = count_different(picture, 0), engine = count_different(picture, 2);
    printf("frame %d: %d pixels of the MD2, %d of them red; %d differ from the MD5, %d from the engine's MD2\n",
           frame, drawn, red, robot, engine);
    return drawn > SIDE * SIDE / 10 && red > drawn / 20 && robot * 100 < drawn * 4 && engine * 100 < drawn;
}

/* -- The program ------------------------------------------------------------------------------------ */

static io::path path_to(const char *name) { return io::path("build/character/") + name; }

int main()
{
    md2_options options2 = md2_options();
    md5_options options5 = md5_options();
    md2_error error2;
    md5_error error5;
    options2.flags = MD2_Y_UP | MD2_KEEP_WINDING;
    options5.flags = MD5_Y_UP | MD5_KEEP_WINDING;
    md2_model *knight = md2_load_file(path_to("tris.md2").c_str(), &options2, &error2);
    if (!knight) { fprintf(stderr, "%s\n", error2.message); return 1; }
    const md2_anim *knight_run = md2_find_anim(knight, "run");
    md5_model *robot = md5_load_model_file(path_to("robot.md5mesh").c_str(), &options5, &error5);
    io::path run_path = path_to("run.md5anim");
    md5_anim *run = robot ? md5_load_anim_file(run_path.c_str(), &options5, &error5) : NULL;
    if (!run) { fprintf(stderr, "%s\n", error5.message); return 1; }
    assert(knight_run && robot->joint_count <= MOST_JOINTS);

    IrrlichtDevice *device = createDevice(video::EDT_BURNINGSVIDEO, core::dimension2du(3 * SIDE, SIDE), 32);
    if (!device) { fprintf(stderr, "Irrlicht opens no window here\n"); return 1; }
    video::IVideoDriver *driver = device->getVideoDriver();
    scene::ISceneManager *scene = device->getSceneManager();
    body bodies[2];
    const md5_mesh *mesh = &robot->meshes[0];
    bodies[0] = make_body(scene, mesh->vertices, mesh->vertex_count, mesh->indices, mesh->index_count);
    bodies[1] = make_body(scene, knight->vertices, knight->vertex_count, knight->indices, knight->index_count);
    scene::IAnimatedMesh *read = scene->getMesh(path_to("tris.md2"));
    scene::IAnimatedMeshSceneNode *engines = scene->addAnimatedMeshSceneNode(read);
    engines->setAnimationSpeed(0);

    scene::ISceneNode *nodes[3] = { bodies[0].node, bodies[1].node, engines };
    for (int i = 0; i < 3; ++i) {
        nodes[i]->setRotation(core::vector3df(0, i < 2 ? -30.0f : 60.0f, 0)); /* its own looks along x */
        nodes[i]->setMaterialTexture(0, driver->getTexture(path_to("skin.png")));
        nodes[i]->setMaterialFlag(video::EMF_NORMALIZE_NORMALS, true);
    }
    scene->setAmbientLight(video::SColorf(0.4f, 0.4f, 0.4f));
    scene::ILightSceneNode *light = scene->addLightSceneNode();
    light->setLightType(video::ELT_DIRECTIONAL);
    light->setRotation(core::vector3df(30, 20, 0));
    scene->addCameraSceneNode(0, core::vector3df(0, 5, -55), core::vector3df(0, 5, 0))->setAspectRatio(1);

    int failures = 0;
    for (int frame = 0; frame < 6; ++frame) {
        pose_robot(robot, run, frame * 0.1, bodies[0]);
        pose_knight(knight, knight_run, frame * 0.1, bodies[1]);
        engines->setCurrentFrame((f32)(4 * (knight_run->first + (u32)frame))); /* it counts quarters */
        device->run();
        driver->beginScene(true, true, video::SColor(255, 0, 0, 0));
        for (int i = 0; i < 3; ++i) {
            for (int k = 0; k < 3; ++k) nodes[k]->setVisible(k == i);
            driver->setViewPort(core::recti(i * SIDE, 0, (i + 1) * SIDE, SIDE));
            scene->drawAll();
        }
        driver->endScene();
        video::IImage *picture = driver->createScreenShot();
        failures += !picture || !check_picture(picture, frame);
        if (picture) failures += !driver->writeImageToFile(picture, "irrlicht.png");
        if (picture) picture->drop();
    }
    for (int i = 0; i < 2; ++i) {
        bodies[i].buffer->drop();
        bodies[i].mesh->drop();
    }
    device->drop();
    md5_free_anim(run);
    md5_free_model(robot);
    md2_free_model(knight);
    printf("6 frames, %d wrong\n", failures);
    return failures != 0;
}
