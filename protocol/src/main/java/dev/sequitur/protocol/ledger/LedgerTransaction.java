package dev.sequitur.protocol.ledger;

import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.PrivacyGroup;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.LedgerAddress;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.PublicTransaction;
import dev.sequitur.protocol.transaction.Signature;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * A base-ledger transaction before it is signed.
 *
 * @param nonce counts the transactions of {@code signer}, from 0, without a gap
 * @param fees a replacement of the same nonce needs higher ones
 * @param gasLimit it may use so much gas, and is paid for what it uses; a ledger without gas keeps
 *     it and nothing more
 */
public record LedgerTransaction(
    LedgerAddress signer, long nonce, Fees fees, long gasLimit, Call call) {

  /** What the transaction does. */
  public sealed interface Call {
    /** What goes along, in the ledger's smallest unit. */
    default BigInteger value() {
      return BigInteger.ZERO;
    }
  }

  /**
   * Makes the contract of a privacy group; its address follows from signer and nonce.
   *
   * @param domain the domain's name
   * @param genesis the group in the encoding of {@link ContractGenesis}
   */
  public record Deploy(String domain, ContractGenesis genesis) implements Call {
    /** What a group that stands has begun with, whatever has changed since. */
    public static Deploy of(PrivacyGroup group) {
      var first = group.committees().first();
      return new Deploy(
          group.domain(),
          new ContractGenesis(
              group.id(),
              group.name(),
              first.committee(),
              first.threshold(),
              first.changeThreshold(),
              group.configuration()));
    }

    /** Over the domain's name and all of the genesis. */
    public Hash hash() {
      return new CanonicalDigest().add(domain).add(genesis.canonical()).finish();
    }
  }

  /**
   * Fulfils intents on a contract, in this order. Each is fulfilled or reverts by itself: what one
   * comes to changes nothing for the others but what they find on the contract.
   *
   * @param transitions at least one, all of one contract
   */
  public record Invoke(List<PreparedTransaction> transitions) implements Call {
    public Invoke {
      transitions = List.copyOf(transitions);
    }

    /** Of a single transition. */
    public static Invoke of(PreparedTransaction alone) {
      return new Invoke(List.of(alone));
    }
  }

  /**
   * Puts another committee in the place of the one that a group has (CMT-3). Whoever signs the
   * transaction says nothing by that: what counts is who has signed the change.
   *
   * @param signatures of the change's {@linkplain CommitteeChange#digest digest}
   */
  public record ChangeCommittee(
      ContractAddress contract, CommitteeChange change, List<Signature> signatures)
      implements Call {
    public ChangeCommittee {
      signatures = List.copyOf(signatures);
    }

    /**
     * Who has validly signed it, each by the key that the signature comes with.
     *
     * @param valid whether a digest has been signed so
     */
    public Set<Member> signers(long chainId, BiPredicate<Hash, Signature> valid) {
      var digest = change.digest(chainId, contract);
      return signatures.stream()
          .filter(signature -> valid.test(digest, signature))
          .map(signature -> new Member(signature.party(), signature.verifier()))
          .collect(Collectors.toSet());
    }
  }

  /**
   * Calls a contract, or makes one, as everybody may (PUB-1). Only a ledger that runs byte code
   * takes it: {@link dev.sequitur.protocol.port.BaseLedger#contracts}.
   *
   * @param to empty to make a contract
   * @param data of the call; to make a contract, its byte code and what that is constructed with
   * @param value that goes along, in the ledger's smallest unit
   */
  public record PublicCall(Optional<ContractAddress> to, Bytes data, BigInteger value)
      implements Call {
    public static PublicCall of(PublicTransaction transaction) {
      return new PublicCall(transaction.to(), transaction.data(), transaction.value());
    }

    /** Over all of it: by this a block's call is known again. */
    public Hash hash() {
      return new CanonicalDigest()
          .add(to.map(ContractAddress::value).orElse(""))
          .add(data)
          .add(value.toByteArray())
          .finish();
    }
  }

  /**
   * Does nothing but use its nonce, so that what waits behind it can go on: in place of a call that
   * the pool will never take.
   */
  public record UseNonce() implements Call {}

  /** What it takes of a block and of the pool: its transitions, or one. */
  public int weight() {
    return switch (call) {
      case Invoke(var transitions) -> Math.max(1, transitions.size());
      case Deploy ignored -> 1;
      case ChangeCommittee ignored -> 1;
      case PublicCall ignored -> 1;
      case UseNonce ignored -> 1;
    };
  }
}
