package dev.sequitur.domain;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.Signatures;
import java.util.Optional;

/** The members of a group by the addresses of their keys, under which {@code noto} keeps them. */
record Accounts(Committee committee, Signatures signatures) {

  /** The schema of coins. */
  static final String COIN = "NotoCoin";

  /** The address of a member's key. */
  String address(Identity member) {
    return address(
        committee
            .member(member)
            .orElseThrow(() -> new IllegalArgumentException(member + " is no member.")));
  }

  private String address(Member member) {
    return signatures.address(member.verifier()).value();
  }

  Optional<Identity> find(LedgerAddress address) {
    return committee.members().stream()
        .filter(member -> address(member).equals(address.value()))
        .map(Member::identity)
        .findFirst();
  }

  /**
   * @throws IllegalArgumentException if it is not the address of a member, in lower case
   */
  Identity member(String address) {
    return find(new LedgerAddress(address))
        .filter(member -> address(member).equals(address))
        .orElseThrow(() -> new IllegalArgumentException("No member has the address."));
  }

  /** The coins of {@code noto}. */
  CoinKind coins() {
    return new CoinKind(COIN, this::member, this::address);
  }
}
