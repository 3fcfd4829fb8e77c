/* Uses md2.h only through the module. */
import quake;

int main()
{
    return static_cast<int>(play_nothing());
}
