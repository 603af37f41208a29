/** What a node and who asks it both need to show to who looks for a fault, and what not. */
package dev.sequitur.console.diagnosis;
