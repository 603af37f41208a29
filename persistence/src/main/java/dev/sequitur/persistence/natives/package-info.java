/** Native code: where the libraries of the jars are unpacked to be loaded. */
package dev.sequitur.persistence.natives;
