/** Privacy groups: who shares a contract, who may coordinate it, and by which keys they sign. */
package dev.sequitur.protocol.group;
