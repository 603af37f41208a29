/**
 * Who may call a node and what they may ask for, as rules: tokens, roles and their grants. Reading
 * files, asking issuers and answering callers are another module's.
 */
package dev.sequitur.protocol.guard;
