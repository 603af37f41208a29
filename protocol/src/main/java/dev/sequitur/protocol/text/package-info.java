/** How numbers are written in sentences for people. */
package dev.sequitur.protocol.text;
