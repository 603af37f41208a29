package dev.sequitur.protocol.coordinator;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.copying.Copyable;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.RequestId;
import dev.sequitur.protocol.transaction.AttestationRequest;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import dev.sequitur.protocol.trie.HashTrie;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.pcollections.PMap;
import org.pcollections.PSet;

/**
 * Transactions that are endorsed together. One that leaves the graph meanwhile, or is endorsed, is
 * of it no longer: its own progress names no batch then, or another.
 *
 * @param number of this batch; no other has it in this life of the coordinator
 * @param alone one that was refused before, or that waits for somebody silent: it does not count
 *     among those that hold others up
 * @param plan of each of its transactions
 * @param members as it was opened, in the order of their dispatch
 * @param transitions of each member: the digests that are leaves of the trees
 * @param whole the tree over all of them, which parties sign that refuse none; a batch that nobody
 *     is asked about has none
 * @param requests that each party is asked by now
 * @param answered who has answered
 * @param signed what those have signed who have endorsed any of them
 * @param again whether its members were asked about before, and no root had enough signatures
 */
@Copyable
public record AttestationBatch(
    long number,
    boolean alone,
    List<AttestationRequest> plan,
    List<IntentKey> members,
    Map<IntentKey, Hash> transitions,
    Optional<MerkleTree> whole,
    PMap<Identity, Request> requests,
    PSet<Identity> answered,
    PMap<Identity, Signed> signed,
    boolean again)
    implements AttestationBatchBuilder.With {
  /**
   * A request that is out.
   *
   * @param intents that it asks about, in order
   * @param since when the party was asked first, under this key or an earlier one
   * @param said its last answer that was of no use, for people
   */
  record Request(RequestId key, List<IntentKey> intents, Instant since, Optional<String> said) {
    static Request first(RequestId key, List<IntentKey> intents, Instant now) {
      return new Request(key, intents, now, Optional.empty());
    }

    Request again(RequestId newKey, String answer) {
      return new Request(newKey, intents, since, Optional.of(answer));
    }
  }

  /**
   * A root that a party has signed.
   *
   * @param intents that it endorses, in order
   */
  record Signed(List<IntentKey> intents, Signature signature) {}

  static AttestationBatch of(
      long number,
      boolean alone,
      List<AttestationRequest> plan,
      List<IntentKey> members,
      Map<IntentKey, Hash> transitions) {
    return new AttestationBatch(
        number,
        alone,
        plan,
        members,
        transitions,
        plan.isEmpty() ? Optional.empty() : Optional.of(tree(members, transitions)),
        HashTrie.empty(),
        HashTrie.emptySet(),
        HashTrie.empty(),
        false);
  }

  AttestationBatch asking(Identity party, Request request) {
    return withRequests(requests.plus(party, request));
  }

  /**
   * @param root that it has signed; empty if it endorses none
   */
  AttestationBatch answeredBy(Identity party, Optional<Signed> root) {
    return with()
        .requests(requests.minus(party))
        .answered(answered.plus(party))
        .signed(root.map(each -> signed.plus(party, each)).orElse(signed))
        .build();
  }

  /** The proof of each intent that is in a root which as many have signed as the plan asks for. */
  Map<IntentKey, Proof> proofs() {
    if (plan.isEmpty()) {
      return members.stream().collect(toMap(id -> id, id -> Proof.NONE));
    }
    var bySet = signed.values().stream().collect(groupingBy(Signed::intents));
    var proofs = new HashMap<IntentKey, Proof>();
    bySet.forEach(
        (intents, alike) -> {
          var signatures = alike.stream().map(Signed::signature).toList();
          if (isEnough(signatures)) {
            var tree = tree(intents);
            for (int i = 0; i < intents.size(); i++) {
              proofs.putIfAbsent(intents.get(i), new Proof(tree.path(i), signatures));
            }
          }
        });
    return proofs;
  }

  /** Of some of its members. */
  MerkleTree tree(List<IntentKey> intents) {
    return intents.equals(members) && whole.isPresent() ? whole.get() : tree(intents, transitions);
  }

  private static MerkleTree tree(List<IntentKey> intents, Map<IntentKey, Hash> transitions) {
    return MerkleTree.of(intents.stream().map(transitions::get).toList());
  }

  private boolean isEnough(List<Signature> signatures) {
    var parties = signatures.stream().map(Signature::party).toList();
    return plan.stream()
        .allMatch(
            line -> line.parties().stream().filter(parties::contains).count() >= line.threshold());
  }

  /** Whether as many have answered as must endorse; they may differ in what they do. */
  boolean hasEnoughAnswers() {
    return plan.stream()
        .allMatch(
            line -> line.parties().stream().filter(answered::contains).count() >= line.threshold());
  }

  /** Of the requests that are out. */
  List<RequestId> keys() {
    return requests.values().stream().map(Request::key).toList();
  }

  /** Whether it was asked, and has not been forgotten since. */
  boolean knows(Identity party) {
    return requests.containsKey(party) || answered.contains(party);
  }
}
