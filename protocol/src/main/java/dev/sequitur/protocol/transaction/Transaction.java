package dev.sequitur.protocol.transaction;

import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.TransactionId;

/** What a caller has a node do: once, with one receipt. */
public sealed interface Transaction permits PrivateTransaction, PublicTransaction, NewGroup {
  TransactionId id();

  /** Whose key it needs; its node is the one that was asked. */
  Identity from();
}
