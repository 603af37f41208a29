package dev.sequitur.schedule.multisignature;

import dev.sequitur.protocol.id.Identity;
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
 * present keys, and the payer's (MSIG-6). That of an account that was deleted stays (MSIG-24).
 */
record RequiredKeys(List<Needed> needed) {
  RequiredKeys {
    needed = List.copyOf(needed);
  }

  /** Whose key it is: an account's, an identity's, or one that an account is to have. */
  private record Needed(Optional<EntityId> account, Optional<Identity> identity, AccountKey key) {
    static Needed of(EntityId account, AccountKey key) {
      return new Needed(Optional.of(account), Optional.empty(), key);
    }
  }

  /** Empty if one of them cannot be found. */
  static Optional<RequiredKeys> of(
      KeyRing ring, Profile profile, Creation creation, EntityId creator) {
    var needed = new ArrayList<Needed>();
    var payer = creation.payer().orElse(creator);
    boolean payerSigns = profile == Profile.CURRENT || !payer.equals(creator);
    boolean resolved =
        add(needed, ring, creation.transaction().action())
            && (!payerSigns || add(needed, payer, ring.known(payer)));
    return resolved ? Optional.of(new RequiredKeys(needed)) : Optional.empty();
  }

  /** Of a transfer at once, beside its payer's; empty if an account of it does not exist. */
  static Optional<RequiredKeys> of(KeyRing ring, Action.CryptoTransfer transfer) {
    var needed = new ArrayList<Needed>();
    return add(needed, ring, transfer) ? Optional.of(new RequiredKeys(needed)) : Optional.empty();
  }

  /** Whether signatures of just these keys are enough. */
  boolean areSatisfiedBy(Set<PublicKey> signers) {
    return needed.stream().allMatch(each -> each.key.isSatisfiedBy(signers));
  }

  /** All keys whose signature can count. */
  Set<PublicKey> publicKeys() {
    var all = new TreeSet<PublicKey>();
    needed.forEach(each -> each.key.forEachPublicKey(all::add));
    return all;
  }

  /** Each once that must agree, and whether these signers are enough for it. */
  List<Approval> approvals(Set<PublicKey> signers) {
    return needed.stream()
        .distinct()
        .map(
            each ->
                new Approval(
                    each.account, each.identity, each.key, each.key.isSatisfiedBy(signers)))
        .toList();
  }

  private static boolean add(List<Needed> needed, KeyRing ring, Action action) {
    return switch (action) {
      case Action.CryptoTransfer(var transfers) ->
          transfers.stream().allMatch(row -> add(needed, ring, row));
      case Action.CryptoCreate create ->
          !create.receiverSigRequired()
              || needed.add(new Needed(Optional.empty(), Optional.empty(), create.key()));
      case Action.CryptoUpdate(var account, var change) ->
          add(needed, account, ring.known(account)) && add(needed, change.key());
      case Action.PrivateTransaction privately -> add(needed, ring, privately.call().from());
      case Action.Unschedulable ignored -> false;
    };
  }

  private static boolean add(List<Needed> needed, Optional<AccountKey> next) {
    next.ifPresent(key -> needed.add(new Needed(Optional.empty(), Optional.empty(), key)));
    return true;
  }

  private static boolean add(List<Needed> needed, KeyRing ring, AccountAmount row) {
    var account = ring.known(row.account());
    boolean signs = row.units() < 0 || account.map(Account::receiverSigRequired).orElse(false);
    return signs ? add(needed, row.account(), account) : account.isPresent();
  }

  private static boolean add(List<Needed> needed, EntityId id, Optional<Account> account) {
    account.ifPresent(known -> needed.add(Needed.of(id, known.key())));
    return account.isPresent();
  }

  private static boolean add(List<Needed> needed, KeyRing ring, Identity identity) {
    var key = ring.key(identity);
    key.ifPresent(it -> needed.add(new Needed(Optional.empty(), Optional.of(identity), it)));
    return key.isPresent();
  }
}
