package dev.sequitur.ethereum;

import dev.sequitur.protocol.group.Committee;
import dev.sequitur.protocol.group.CommitteeChange;
import dev.sequitur.protocol.group.Member;
import dev.sequitur.protocol.group.Quorum;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.BlockHeight;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.ledger.LedgerTransaction.ChangeCommittee;
import dev.sequitur.protocol.port.Signatures;
import dev.sequitur.protocol.transaction.Signature;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What the contract's call {@code change} takes, whose layout PrivacyGroup.sol tells. Whatever the
 * contract takes is read, by whomever it was sent. Pure.
 *
 * @param byBefore signed by members of the committee that stood
 * @param byNew signed by members of the one that comes
 */
record ChangeCall(CommitteeChange change, List<Placed> byBefore, List<Placed> byNew) {
  private static final int KEY = 33;

  /**
   * A signature.
   *
   * @param place of its member in the contract's order, from 0, as whoever sent it says
   */
  record Placed(int place, Bytes value) {}

  /**
   * The bytes of a call.
   *
   * @param before the members of the committee that stands, in the contract's order; signatures of
   *     who is neither there nor in the new one are left out
   * @param inOrder puts members into the contract's order
   */
  static byte[] of(ChangeCommittee call, List<Member> before, UnaryOperator<List<Member>> inOrder) {
    var change = call.change();
    var members = change.quorum().committee().members();
    var after = inOrder.apply(members);
    var byBefore = new ArrayList<Placed>();
    var byNew = new ArrayList<Placed>();
    for (var signature : call.signatures()) {
      var signer = new Member(signature.party(), signature.verifier());
      if (before.contains(signer)) {
        byBefore.add(new Placed(before.indexOf(signer), signature.value()));
      } else if (after.contains(signer)) {
        byNew.add(new Placed(after.indexOf(signer), signature.value()));
      }
    }
    var out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(Integer.BYTES + Long.BYTES)
            .putInt(change.number())
            .putLong(change.until().value())
            .array());
    out.write(change.quorum().threshold());
    out.write(change.quorum().changeThreshold());
    out.write(members.size());
    members.forEach(member -> write(out, member));
    after.forEach(member -> out.write(members.indexOf(member)));
    write(out, byBefore);
    write(out, byNew);
    return out.toByteArray();
  }

  private static void write(ByteArrayOutputStream out, Member member) {
    var identity = Bytes.utf8(member.identity().toString());
    out.writeBytes(ByteBuffer.allocate(Short.BYTES).putShort((short) identity.size()).array());
    out.writeBytes(identity.toByteArray());
    out.writeBytes(member.verifier().publicKey().toByteArray());
  }

  private static void write(ByteArrayOutputStream out, List<Placed> signatures) {
    out.write(signatures.size());
    signatures.stream()
        .sorted(Comparator.comparingInt(Placed::place))
        .forEach(
            each -> {
              out.write(each.place());
              out.writeBytes(each.value().toByteArray());
            });
  }

  /**
   * What stands in a call.
   *
   * @throws IllegalArgumentException if the contract does not take it, or it names what can be no
   *     committee of this product
   */
  static ChangeCall read(byte[] data) {
    var in = ByteBuffer.wrap(data);
    try {
      int number = in.getInt();
      var until = new BlockHeight(in.getLong());
      int threshold = Byte.toUnsignedInt(in.get());
      int changeThreshold = Byte.toUnsignedInt(in.get());
      int size = Byte.toUnsignedInt(in.get());
      var members = new ArrayList<Member>();
      for (int i = 0; i < size; i++) {
        members.add(member(in));
      }
      in.position(in.position() + size);
      var quorum = new Quorum(new Committee(members), threshold, changeThreshold);
      return new ChangeCall(new CommitteeChange(number, quorum, until), placed(in), placed(in));
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("The call ends too early.", e);
    }
  }

  private static Member member(ByteBuffer in) {
    var identity = bytes(in, Short.toUnsignedInt(in.getShort())).toByteArray();
    return new Member(
        Identity.parse(new String(identity, StandardCharsets.UTF_8)), new Verifier(bytes(in, KEY)));
  }

  private static List<Placed> placed(ByteBuffer in) {
    var signatures = new ArrayList<Placed>();
    int count = Byte.toUnsignedInt(in.get());
    for (int i = 0; i < count; i++) {
      signatures.add(new Placed(Byte.toUnsignedInt(in.get()), bytes(in, Signatures.BYTES)));
    }
    return List.copyOf(signatures);
  }

  private static Bytes bytes(ByteBuffer in, int length) {
    var bytes = new byte[length];
    in.get(bytes);
    return Bytes.of(bytes);
  }

  /**
   * The signatures with who has made them, if the committees are these.
   *
   * @param before the members of the committee that stood, in the contract's order
   * @param inOrder puts members into the contract's order
   * @throws IllegalArgumentException if a key is on no curve, so that it has no place in an order
   */
  List<Signature> signatures(List<Member> before, UnaryOperator<List<Member>> inOrder) {
    var all = new ArrayList<Signature>();
    add(all, byBefore, before);
    add(all, byNew, inOrder.apply(change.quorum().committee().members()));
    return List.copyOf(all);
  }

  private static void add(List<Signature> all, List<Placed> signatures, List<Member> members) {
    for (var each : signatures) {
      if (each.place() < members.size()) {
        var member = members.get(each.place());
        all.add(new Signature(member.identity(), member.verifier(), each.value()));
      }
    }
  }
}
