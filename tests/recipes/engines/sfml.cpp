// A Quake II model in SFML 2.5: md2.h draws it with its own renderer, between the sun and the bar, which
// SFML draws in 2D. In the folder of md2.h, on Debian after `apt install libsfml-dev libstb-dev`:
//
//     make knight
//     g++ -I. -Itests/recipes -I/usr/include/stb tests/recipes/engines/sfml.cpp -lsfml-graphics -lsfml-window -lsfml-system -lGL
//     ./a.out
//
// Public domain.

////////////////////////////////////////////////////////////
// Headers
////////////////////////////////////////////////////////////
#include <SFML/Graphics.hpp>
#include <SFML/OpenGL.hpp>
#include <cstdlib>
#include <iostream>

#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define MD2_GL
#define MD2_STB_IMAGE
#define MD2_IMPLEMENTATION
#include "md2.h"
#include "matrices.h"

static int fail(const md2_error &error)
{
    std::cerr << error.message << std::endl;
    return EXIT_FAILURE;
}

////////////////////////////////////////////////////////////
/// Entry point of application
///
/// \return Application exit code
///
////////////////////////////////////////////////////////////
int main()
{
    const char *path = "knight/tris.md2";

    // md2.h needs OpenGL 3.3; without the "core" flag, SFML can draw as well
    sf::ContextSettings settings(24, 0, 4, 3, 3);
    sf::RenderWindow window(sf::VideoMode(800, 600), "Quake II model", sf::Style::Default, settings);
    window.setVerticalSyncEnabled(true);

    // Load the model and upload it to the GPU
    md2_error error;
    md2_gl_mesh mesh = md2_gl_mesh();
    md2_model *knight = md2_load_file(path, NULL, &error);
    if (!knight)
        return fail(error);
    md2_gl *renderer = md2_gl_create(sf::Context::getFunction, NULL, &error);
    if (!renderer || !md2_gl_upload(renderer, knight, &mesh, &error))
        return fail(error);
    unsigned int skin = md2_gl_load_skin(renderer, knight, path, 0, &error);
    if (!skin)
        std::cerr << error.message << std::endl; // the model is drawn white

    // The camera is in front of the model; X is forward, Z is up
    const float eye[3] = {75, 25, 20}, target[3] = {0, 0, 4}, up[3] = {0, 0, 1};
    float view[16], projection[16];
    look_at(eye, target, up, view);
    perspective(0.8f, 800.f / 600.f, 1, 1000, projection);
    md2_gl_scene scene = md2_gl_scene();
    multiply(projection, view, scene.view_projection);

    // The model runs
    md2_gl_instance instance = md2_gl_instance();
    md2_player player = md2_player();
    md2_play(&player, md2_find_anim(knight, "run"), MD2_LOOP, 0);

    // SFML draws these behind and in front of the model
    sf::CircleShape sun(110);
    sun.setFillColor(sf::Color(255, 220, 120));
    sun.setPosition(420, 60);
    sf::RectangleShape health(sf::Vector2f(240, 16));
    health.setFillColor(sf::Color(190, 33, 55));
    health.setOutlineColor(sf::Color::White);
    health.setOutlineThickness(3);
    health.setPosition(280, 570);

    sf::Clock clock;
    while (window.isOpen())
    {
        sf::Event event;
        while (window.pollEvent(event))
        {
            if (event.type == sf::Event::Closed)
                window.close();
            if (event.type == sf::Event::Resized)
                glViewport(0, 0, static_cast<GLsizei>(event.size.width), static_cast<GLsizei>(event.size.height));
        }

        md2_advance(&player, clock.restart().asSeconds());
        instance.pose = md2_player_pose(&player);

        window.clear(sf::Color(153, 178, 204));
        window.draw(sun);

        // SFML turns off depth test and culling, and needs them off when it draws
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        glClear(GL_DEPTH_BUFFER_BIT);
        md2_gl_draw(renderer, &mesh, skin, &scene, &instance, 1);
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_CULL_FACE);

        window.draw(health);
        window.display();
    }

    md2_gl_free_mesh(renderer, &mesh);
    md2_gl_destroy(renderer);
    md2_free_model(knight);

    return EXIT_SUCCESS;
}
