/**
 * What starts nodes to show, try, break or simulate them, and the program that has these commands
 * beside a node's own. A node that does its work needs none of it.
 */
package dev.sequitur.laboratory;
