/* Knows md2.h through the module alone. */
import quake;

int main()
{
    return static_cast<int>(play_nothing());
}
