package dev.sequitur.schedule.multisignature;

import dev.sequitur.schedule.signing.Account;
import dev.sequitur.schedule.signing.AccountAmount;
import dev.sequitur.schedule.signing.AccountKey;
import dev.sequitur.schedule.signing.Action;
import dev.sequitur.schedule.signing.Creation;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.KeyRing;
import dev.sequitur.schedule.signing.Profile;
import dev.sequitur.schedule.signing.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whose keys must sign a body: those that an ordinary transaction would need, by the accounts'
 * present keys, and the payer's (MSIG-6).
 */
record RequiredKeys(List<AccountKey> keys) {
  RequiredKeys {
    keys = List.copyOf(keys);
  }

  /** Empty if one of them cannot be found. */
  static Optional<RequiredKeys> of(
      KeyRing ring, Profile profile, Creation creation, EntityId creator) {
    var keys = new ArrayList<AccountKey>();
    var payer = creation.payer().orElse(creator);
    boolean payerSigns = profile == Profile.CURRENT || !payer.equals(creator);
    boolean resolved =
        add(keys, ring, creation.transaction().action())
            && (!payerSigns || add(keys, ring.account(payer).map(Account::key)));
    return resolved ? Optional.of(new RequiredKeys(keys)) : Optional.empty();
  }

  /** Of a transfer at once, beside its payer's; empty if an account of it does not exist. */
  static Optional<RequiredKeys> of(KeyRing ring, Action.CryptoTransfer transfer) {
    var keys = new ArrayList<AccountKey>();
    return add(keys, ring, transfer) ? Optional.of(new RequiredKeys(keys)) : Optional.empty();
  }

  /** Whether signatures of just these keys are enough. */
  boolean areSatisfiedBy(Set<PublicKey> signers) {
    return keys.stream().allMatch(key -> key.isSatisfiedBy(signers));
  }

  /** All keys whose signature can count. */
  Set<PublicKey> publicKeys() {
    var all = new TreeSet<PublicKey>();
    keys.forEach(key -> key.forEachPublicKey(all::add));
    return all;
  }

  private static boolean add(List<AccountKey> keys, KeyRing ring, Action action) {
    return switch (action) {
      case Action.CryptoTransfer(var transfers) ->
          transfers.stream().allMatch(row -> add(keys, ring, row));
      case Action.CryptoCreate create ->
          !create.receiverSigRequired() || add(keys, Optional.of(create.key()));
      case Action.PrivateTransaction privately -> add(keys, ring.key(privately.call().from()));
      case Action.Unschedulable ignored -> false;
    };
  }

  private static boolean add(List<AccountKey> keys, KeyRing ring, AccountAmount row) {
    var account = ring.account(row.account());
    boolean signs = row.units() < 0 || account.map(Account::receiverSigRequired).orElse(false);
    return signs ? add(keys, account.map(Account::key)) : account.isPresent();
  }

  private static boolean add(List<AccountKey> keys, Optional<AccountKey> key) {
    key.ifPresent(keys::add);
    return key.isPresent();
  }
}
