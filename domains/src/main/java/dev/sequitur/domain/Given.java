package dev.sequitur.domain;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.transaction.PrivateTransaction;

/** What every rule of a domain starts from: one intent in its group. */
public record Given(
    PrivacyGroup group, GroupConfiguration configuration, PrivateTransaction transaction) {

  public Committee committee() {
    return group.committee();
  }

  public Identity from() {
    return transaction.from();
  }

  /**
   * Stands in the outputs, whose ids the sender signs: so the sender's signature covers what was
   * asked for, and not just what came of it.
   */
  public Hash intentHash() {
    return new CanonicalDigest()
        .add("sequitur intent")
        .add(transaction.id().toString())
        .add(transaction.contract().value())
        .add(transaction.domain())
        .add(transaction.function())
        .add(transaction.from().toString())
        .add(transaction.inputs())
        .finish();
  }
}
