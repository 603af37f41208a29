package dev.sequitur.node.rpc.method;

import static java.util.stream.Collectors.toMap;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sequitur.json.JsonDigest;
import dev.sequitur.json.JsonText;
import dev.sequitur.json.Sent;
import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.NodeStore;
import dev.sequitur.protocol.port.NodeStore.Intent;
import dev.sequitur.protocol.port.NodeStore.StoredAbi;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The stored ABIs that some public transactions of one call refer to. */
record AbiReferences(Map<Hash, JsonNode> byHash) {
  private static final int SLOTS = 1024;

  /** A query sees the same few ABIs in thousands of rows, and reading one is slow. */
  private static final AtomicReferenceArray<Known> LAST = new AtomicReferenceArray<>(SLOTS);

  /**
   * @param content SHA-256 of the ABI as it was sent
   */
  private record Known(Hash content, Hash reference) {}

  AbiReferences {
    byHash = Map.copyOf(byHash);
  }

  /**
   * Those of the caller that are there, each asked for once.
   *
   * @param publics by {@link PublicDraft#FIELDS}
   */
  static CompletionStage<AbiReferences> in(NodeStore store, Principal caller, List<Sent> publics) {
    var hashes = new HashSet<Hash>();
    publics.forEach(sent -> PublicDraft.reference(sent).ifPresent(hashes::add));
    return Answers.all(hashes.stream().map(hash -> store.abi(owner(caller), hash)).toList())
        .thenApply(found -> found.stream().flatMap(Optional::stream))
        .thenApply(
            abis ->
                new AbiReferences(
                    abis.collect(
                        toMap(StoredAbi::hash, it -> JsonText.parse(it.json().toByteArray())))));
  }

  /** Whose the descriptions are that a caller leaves: where nobody is asked, everybody's. */
  static String owner(Principal caller) {
    return caller.isAsked() ? caller.toString() : "";
  }

  /** Under which an ABI is stored, whatever the order of its fields. */
  static Hash hash(JsonNode abi) {
    var digest = new CanonicalDigest();
    JsonDigest.add(digest, abi);
    return digest.finish();
  }

  /** That of the ABI that a public transaction came with, or referred to. */
  static Optional<Hash> of(Intent intent) {
    return intent.publicly().flatMap(it -> it.source().abi()).map(AbiReferences::reference);
  }

  private static Hash reference(Bytes json) {
    var content = Hash.sha256(json.toByteArray());
    int slot = Math.floorMod(content.hashCode(), SLOTS);
    var known = LAST.get(slot);
    if (known == null || !known.content().equals(content)) {
      known = new Known(content, hash(JsonText.parse(json.toByteArray())));
      LAST.set(slot, known);
    }
    return known.reference();
  }

  Optional<JsonNode> find(Hash hash) {
    return Optional.ofNullable(byHash.get(hash));
  }
}
