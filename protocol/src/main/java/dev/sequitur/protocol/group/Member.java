package dev.sequitur.protocol.group;

import dev.sequitur.protocol.id.Identity;

/** A member of a committee with the key that its signatures are checked against. */
public record Member(Identity identity, Verifier verifier) {}
