/* A shared object that is no plugin. */
int not_a_backend;
