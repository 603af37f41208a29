package dev.sequitur.domain;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeHistory;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.port.Signatures;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The members of a group by the addresses of their keys, under which {@code noto} keeps them. What
 * was made while a member had another key has the address of that one, and is the member's all the
 * same; what is made has that of now.
 *
 * @param committees those that the group has had, the newest first
 */
record Accounts(List<Committee> committees, Signatures signatures) {

  /** The schema of coins. */
  static final String COIN = "NotoCoin";

  Accounts {
    committees = List.copyOf(committees);
  }

  static Accounts of(CommitteeHistory history, Signatures signatures) {
    return new Accounts(
        history.all().reversed().stream().map(Quorum::committee).distinct().toList(), signatures);
  }

  /** Of now. */
  Committee committee() {
    return committees.getFirst();
  }

  /** The address of a member's key. */
  String address(Identity member) {
    return address(
        committee()
            .member(member)
            .orElseThrow(() -> new IllegalArgumentException(member + " is no member.")));
  }

  private String address(Member member) {
    return signatures.address(member.verifier()).value();
  }

  /** Those of all keys that a member has had, that of now last. */
  private List<String> addresses(Identity member) {
    return committees.reversed().stream()
        .flatMap(committee -> committee.member(member).stream())
        .map(this::address)
        .distinct()
        .toList();
  }

  /** A member of now, by the address of a key that it has or had: the newest that has it. */
  Optional<Identity> find(LedgerAddress address) {
    return committees.stream()
        .flatMap(committee -> committee.members().stream())
        .filter(member -> committee().member(member.identity()).isPresent())
        .filter(member -> address(member).equals(address.value()))
        .map(Member::identity)
        .findFirst();
  }

  /**
   * @throws IllegalArgumentException if it is not the address of a member, in lower case
   */
  Identity member(String address) {
    return find(new LedgerAddress(address))
        .filter(member -> addresses(member).contains(address))
        .orElseThrow(() -> new IllegalArgumentException("No member has the address."));
  }

  /**
   * Who is or was a member with this address; a member of now before a former one.
   *
   * @throws IllegalArgumentException if nobody ever had it, in lower case
   */
  Identity everMember(String address) {
    var all =
        committees.stream()
            .flatMap(then -> then.members().stream())
            .filter(member -> address(member).equals(address))
            .map(Member::identity)
            .toList();
    return all.stream()
        .filter(it -> committee().member(it).isPresent())
        .findFirst()
        .or(() -> all.stream().findFirst())
        .orElseThrow(() -> new IllegalArgumentException("No member has or had the address."));
  }

  /** The address of the key that a member has, or that a former one had last. */
  String lastAddress(Identity member) {
    return addresses(member).getLast();
  }

  /**
   * As each of the committees had these members, the newest first: a state has the addresses of one
   * of them.
   */
  Stream<Accounts> each(List<Identity> members) {
    return committees.stream()
        .filter(then -> members.stream().allMatch(member -> then.member(member).isPresent()))
        .map(then -> new Accounts(List.of(then), signatures));
  }

  /** The coins of {@code noto}. */
  CoinKind coins() {
    return new CoinKind(COIN, this::member, this::address, this::addresses);
  }
}
