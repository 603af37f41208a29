/** How numbers are written in sentences for people, and which name a person may have meant. */
package dev.sequitur.protocol.text;
