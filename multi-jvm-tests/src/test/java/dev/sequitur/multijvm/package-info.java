/** Nodes as processes of their own: killed, frozen, stopped, and their database taken away. */
package dev.sequitur.multijvm;
