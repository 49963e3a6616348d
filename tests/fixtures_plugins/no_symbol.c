/* A shared library that is no engine plugin. */
int parity_plugin_of_another_name(void);
int parity_plugin_of_another_name(void) { return 1; }
