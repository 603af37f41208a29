package dev.sequitur.ethereum;

import dev.sequitur.protocol.attestation.Attestation;
import dev.sequitur.protocol.attestation.MerklePath;
import dev.sequitur.protocol.attestation.MerkleTree;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.ContractAddress;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.IntentKey;
import dev.sequitur.protocol.id.SenderCommitment;
import dev.sequitur.protocol.id.StateId;
import dev.sequitur.protocol.id.TransactionId;
import dev.sequitur.protocol.transaction.PreparedTransaction;
import dev.sequitur.protocol.transaction.Proof;
import dev.sequitur.protocol.transaction.Signature;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * What the contract's call {@code fulfill} was given, which is how members learn what was
 * fulfilled. Whatever the contract takes is read, by whomever it was sent and however it is laid
 * out, and with the same meaning; what it does not take is refused. Pure.
 *
 * @param groups each of transitions that were signed together
 */
record FulfilledGroups(List<Group> groups) {
  private static final int HASH = 32;
  private static final int SIGNATURE = 65;

  /**
   * @param size of the tree that was signed
   */
  record Group(List<PlacedSignature> signatures, int size, List<Transition> transitions) {}

  /**
   * @param place of its member in the committee, from 0, as whoever sent it says
   */
  record PlacedSignature(int place, Bytes value) {}

  /**
   * @param path empty if the group is the whole tree
   */
  record Transition(
      IntentKey intent,
      List<StateId> inputs,
      List<StateId> reads,
      List<StateId> outputs,
      Optional<Path> path) {
    private Hash digest() {
      return Attestation.transition(intent, inputs, reads, outputs);
    }
  }

  /** As it was sent: whether it leads to the root is not known. */
  record Path(long index, List<Hash> siblings) {}

  /** Who is at a place of the contract's committee. */
  interface Committee {
    Optional<Signature> signature(PlacedSignature placed);
  }

  /**
   * @throws IllegalArgumentException if the contract does not take it
   */
  static FulfilledGroups read(byte[] content) {
    var in = ByteBuffer.wrap(content);
    var groups = new ArrayList<Group>();
    try {
      while (in.hasRemaining()) {
        groups.add(group(in));
      }
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("The call ends too early.", e);
    }
    return new FulfilledGroups(List.copyOf(groups));
  }

  private static Group group(ByteBuffer in) {
    var signatures = new ArrayList<PlacedSignature>();
    int signed = Byte.toUnsignedInt(in.get());
    for (int i = 0; i < signed; i++) {
      signatures.add(new PlacedSignature(Byte.toUnsignedInt(in.get()), bytes(in, SIGNATURE)));
    }
    long size = Integer.toUnsignedLong(in.getInt());
    int count = Short.toUnsignedInt(in.getShort());
    if (count == 0 || count > size) {
      throw new IllegalArgumentException(count + " transitions of a tree of " + size + ".");
    }
    var transitions = new ArrayList<Transition>();
    for (int i = 0; i < count; i++) {
      transitions.add(transition(in, count == size));
    }
    // More leaves than a tree may have are signed by nobody.
    return new Group(signatures, (int) Math.min(size, Integer.MAX_VALUE), transitions);
  }

  private static Transition transition(ByteBuffer in, boolean whole) {
    var id = new TransactionId(new UUID(in.getLong(), in.getLong()));
    return new Transition(
        new IntentKey(id, new SenderCommitment(hash(in))),
        states(in),
        states(in),
        states(in),
        whole ? Optional.empty() : Optional.of(path(in)));
  }

  private static List<StateId> states(ByteBuffer in) {
    int count = Short.toUnsignedInt(in.getShort());
    var states = new ArrayList<StateId>();
    for (int i = 0; i < count; i++) {
      states.add(new StateId(hash(in)));
    }
    return List.copyOf(states);
  }

  private static Path path(ByteBuffer in) {
    long index = Integer.toUnsignedLong(in.getInt());
    int count = Byte.toUnsignedInt(in.get());
    var siblings = new ArrayList<Hash>();
    for (int i = 0; i < count; i++) {
      siblings.add(hash(in));
    }
    return new Path(index, siblings);
  }

  private static Hash hash(ByteBuffer in) {
    return Hash.of(bytes(in, HASH).toByteArray());
  }

  private static Bytes bytes(ByteBuffer in, int length) {
    var bytes = new byte[length];
    in.get(bytes);
    return Bytes.of(bytes);
  }

  /** All transitions, in the order in which the contract has an outcome for each. */
  List<Transition> transitions() {
    return groups.stream().flatMap(group -> group.transitions().stream()).toList();
  }

  /**
   * The transitions with their proofs, as {@link FulfillCall} was given them.
   *
   * @param committee of the contract; a place that it has not is left out
   * @return empty if a path is none
   */
  Optional<List<PreparedTransaction>> prepared(ContractAddress contract, Committee committee) {
    var prepared = new ArrayList<PreparedTransaction>();
    try {
      for (var group : groups) {
        var signatures =
            group.signatures().stream().flatMap(one -> committee.signature(one).stream()).toList();
        var paths = paths(group);
        for (int i = 0; i < paths.size(); i++) {
          var one = group.transitions().get(i);
          prepared.add(
              new PreparedTransaction(
                  one.intent(),
                  contract,
                  one.inputs(),
                  one.reads(),
                  one.outputs(),
                  new Proof(paths.get(i), signatures)));
        }
      }
    } catch (IllegalArgumentException noPath) {
      return Optional.empty();
    }
    return Optional.of(prepared);
  }

  private static List<MerklePath> paths(Group group) {
    var transitions = group.transitions();
    if (transitions.size() == group.size()) {
      var tree = MerkleTree.of(transitions.stream().map(Transition::digest).toList());
      return IntStream.range(0, tree.size()).mapToObj(tree::path).toList();
    }
    return transitions.stream()
        .map(Transition::path)
        .map(Optional::orElseThrow)
        .map(path -> new MerklePath((int) path.index(), group.size(), path.siblings()))
        .toList();
  }
}
