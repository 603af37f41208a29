package dev.sequitur.sequencer.domain;

import dev.sequitur.protocol.id.Identity;

/** An amount and who gets it. */
record Payment(Identity to, Amount amount) {}
