package dev.sequitur.node.rpc.method;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.sequitur.json.Field;
import dev.sequitur.json.Formats;
import dev.sequitur.json.ObjectShape;
import dev.sequitur.json.Sent;
import dev.sequitur.json.Shape;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import dev.sequitur.node.rpc.query.FieldKind;
import dev.sequitur.node.rpc.query.QueryField;
import dev.sequitur.node.rpc.query.QueryReader;
import dev.sequitur.node.rpc.query.Scan.RowSource;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.guard.Named;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Identity;
import dev.sequitur.protocol.port.Keys;
import dev.sequitur.sequencer.setup.NodeKeyNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code keymgr_…}: this node's own keys. Most are made from one seed by their names, so the node
 * has no list of them: what it can name are the members of its groups whose keys it holds.
 */
record KeyMethods(NodeContext context) {
  private static final int PAGE = 200;

  /** Where all of them are. */
  private static final String WALLET = "seed";

  private static final String OPAQUE = "opaque:rsv";

  /** EIP-191: what comes after it is not opaque, but what wallets and contracts understand. */
  private static final byte UNDERSTOOD = 0x19;

  /** In the last byte of a signature, as contracts of an EVM take it. */
  private static final int FIRST_RECOVERY = 27;

  /** All keys there are. */
  private record Wallet(String name) {}

  /** A key of this node, in the form that was asked for. */
  private record ResolvedKey(String identifier, Verifier verifier, VerifierTypes type) {}

  /**
   * A key that the node can name.
   *
   * @param keys derive it, which takes 0.1 ms, for an answer that has it and for no other
   */
  private record KnownKey(String name, int index, Keys keys) {
    private Verifier verifier() {
      return keys.verifier(name);
    }

    private List<ResolvedKey> verifiers() {
      var verifier = verifier();
      return Arrays.stream(VerifierTypes.values())
          .map(type -> new ResolvedKey(name, verifier, type))
          .toList();
    }
  }

  private static final ObjectShape<Wallet> WALLET_INFO =
      ObjectShape.<Wallet>named("WalletInfo")
          .with("name", Formats.TEXT, Wallet::name)
          .with("keySelector", Formats.TEXT, wallet -> "", "empty: it has every key")
          .with("keySelectorMustNotMatch", Formats.BOOLEAN, wallet -> false);

  private static final ObjectShape<ResolvedKey> VERIFIER =
      ObjectShape.<ResolvedKey>named("Verifier")
          .with("verifier", Formats.TEXT, key -> key.type().render(key.verifier()))
          .with("type", Shape.among(VerifierTypes.class, VerifierTypes::label), key -> key.type())
          .constant("algorithm", VerifierTypes.SECP256K1);

  private static final ObjectShape<String> SEGMENT =
      ObjectShape.<String>named("KeyPathSegment")
          .with("name", Formats.TEXT, name -> name)
          .with("index", Shape.NUMBER, name -> 0, "always 0: keys are found by their names");

  private static final ObjectShape<ResolvedKey> KEY =
      ObjectShape.<ResolvedKey>named("ResolvedKey")
          .with("identifier", Formats.TEXT, ResolvedKey::identifier)
          .constant("wallet", WALLET)
          .with("keyHandle", Formats.TEXT, ResolvedKey::identifier, "the identifier again")
          .with(
              "path",
              SEGMENT.list(),
              key -> List.of(key.identifier()),
              "one segment: a dot in a name means nothing")
          .with("verifier", VERIFIER, key -> key);

  private static final ObjectShape<KnownKey> ENTRY =
      ObjectShape.<KnownKey>named("KeyEntry")
          .with("isKey", Formats.BOOLEAN, key -> true)
          .with("hasChildren", Formats.BOOLEAN, key -> false)
          .with("parent", Formats.TEXT, key -> "", "always empty: names have no folders")
          .with("path", Formats.TEXT, KnownKey::name)
          .with("name", Formats.TEXT, KnownKey::name)
          .with("index", Shape.NUMBER, KnownKey::index, "in alphabetical order, from 0")
          .constant("wallet", WALLET)
          .with("keyHandle", Formats.TEXT, KnownKey::name)
          .with("verifiers", VERIFIER.list(), KnownKey::verifiers);

  private static final Map<String, QueryField<KnownKey>> FIELDS =
      QueryField.table(
          List.of(
              QueryField.of(ENTRY, "isKey"),
              QueryField.of(ENTRY, "hasChildren"),
              QueryField.of(ENTRY, "parent"),
              QueryField.of(ENTRY, "index"),
              QueryField.of(ENTRY, "path"),
              QueryField.of("wallet", FieldKind.TEXT, key -> WALLET),
              QueryField.of(ENTRY, "keyHandle")));

  private static final Field<Sent> QUERY = QueryReader.field("KeyQuery", FIELDS);
  private static final Field<GivenIdentity> NAME =
      Field.of("name", GivenIdentity.FORMAT, "the key: what stands before the @");
  private static final Field<GivenIdentity> SIGNER =
      Field.of("name", GivenIdentity.FORMAT, "whose key signs").mentions(Field.Mention.IDENTITY);
  private static final Field<String> VERIFIED =
      Field.of("verifier", Formats.NAME, "in the form of `verifierType`");
  private static final Field<String> PAYLOAD_TYPE =
      Field.of("payloadType", Formats.NAME, "`" + OPAQUE + "`");
  private static final Field<Bytes> PAYLOAD =
      Field.of("payload", Formats.HEX, "what is to be signed, before it is hashed");

  List<RpcMethod> methods() {
    return List.of(
        RpcMethod.reading(
            "keymgr_wallets",
            List.of(),
            WALLET_INFO.list(),
            "an array of `{name, keySelector, keySelectorMustNotMatch}`",
            "Where this node's keys are: they are made from its one seed, unless its operator gave"
                + " an identity another.",
            call -> completedFuture(List.of(new Wallet(WALLET)))),
        RpcMethod.reading(
            "keymgr_resolveKey",
            List.of(NAME, VerifierTypes.ALGORITHM, VerifierTypes.TYPE),
            KEY,
            "the key with its verifier",
            "The verifier of one of this node's own keys; the key is made on first use.",
            call -> completedFuture(key(call))),
        RpcMethod.reading(
            "keymgr_resolveEthAddress",
            List.of(NAME),
            Formats.TEXT,
            "an address",
            "The base-ledger address of one of this node's own keys; the key is made on first use.",
            call -> completedFuture(VerifierTypes.ADDRESS.render(account(own(call.get(NAME)))))),
        RpcMethod.reading(
                "keymgr_reverseKeyLookup",
                List.of(VerifierTypes.ALGORITHM, VerifierTypes.TYPE, VERIFIED),
                KEY,
                "the key with its verifier",
                "Which key has this verifier, among those that keymgr_queryKeys shows: a node makes keys"
                    + " by name and can't tell the name of any other.",
                this::reverse)
            .aboutAll(Named.Kind.IDENTITIES),
        RpcMethod.reading(
                "keymgr_queryKeys",
                List.of(QUERY),
                ENTRY.list(),
                "an array of keys",
                "The keys of this node's members of its privacy groups, by name unless sorted otherwise.",
                this::queryKeys)
            .aboutAll(Named.Kind.IDENTITIES),
        RpcMethod.submitting(
            "keymgr_sign",
            List.of(SIGNER, VerifierTypes.ALGORITHM, VerifierTypes.TYPE, PAYLOAD_TYPE, PAYLOAD),
            Formats.HEX,
            "the signature: r, s and a last byte of 0 or 1, 65 bytes in hex",
            "Signs the Keccak-256 hash of a payload with one of this node's own keys. Not signed is"
                + " what begins with 0x19, as typed data, messages of wallets and this node's"
                + " endorsements do, nor with a key that the node needs for its own transactions. An"
                + " identity that got another key signs with the newest.",
            this::sign));
  }

  private ResolvedKey key(Call call) {
    var type = VerifierTypes.of(call);
    var name = own(call.get(NAME));
    return new ResolvedKey(name, verifier(name), type);
  }

  private Verifier verifier(String name) {
    return context.node().keys().verifier(name);
  }

  /** By which a base ledger knows what the identity sends. */
  private Verifier account(String name) {
    return context.node().keys().account(name);
  }

  /** The name of a key of this node. */
  private String own(GivenIdentity given) {
    var own = context.node().name();
    var identity = given.at(own);
    if (!identity.node().equals(own)) {
      throw new RpcFailure(
          ErrorCode.FOREIGN_IDENTITY,
          "This key is on the node %s. Ask there, or use ptx_resolveVerifier."
              .formatted(identity.node()));
    }
    return identity.name();
  }

  private CompletionStage<List<KnownKey>> queryKeys(Call call) {
    var query = context.query(call.get(QUERY), FIELDS);
    return context.scan(call, known(), query, query.sort().isEmpty(), row -> 0);
  }

  /** Looks at as many keys as any query at rows: each must be derived. */
  private CompletionStage<ResolvedKey> reverse(Call call) {
    var type = VerifierTypes.of(call);
    return context
        .first(known(), key -> type.render(key.verifier()).equalsIgnoreCase(call.get(VERIFIED)))
        .thenApply(
            found ->
                found.stream()
                    .findFirst()
                    .map(key -> new ResolvedKey(key.name(), key.verifier(), type))
                    .orElseThrow(
                        () ->
                            new RpcFailure(
                                ErrorCode.UNKNOWN_VERIFIER,
                                "None of the keys that keymgr_queryKeys lists has this verifier.")));
  }

  /** By name, in pages: a node may have as many members as groups. */
  private RowSource<KnownKey> known() {
    var keys = context.node().keys();
    var names =
        RowSource.pages(
            Optional.<String>empty(),
            after -> context.node().store().localMembers(after, PAGE),
            page -> Optional.of(page.getLast()));
    var index = new AtomicInteger();
    return names.as(name -> new KnownKey(name, index.getAndIncrement(), keys));
  }

  private CompletionStage<Bytes> sign(Call call) {
    VerifierTypes.of(call);
    var name = own(call.get(SIGNER));
    if (!call.get(PAYLOAD_TYPE).equals(OPAQUE)) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s must be %s: nothing else is signed for a caller."
              .formatted(call.path(PAYLOAD_TYPE), OPAQUE));
    }
    var payload = call.get(PAYLOAD).toByteArray();
    if (payload.length > 0 && payload[0] == UNDERSTOOD) {
      throw new RpcFailure(
          ErrorCode.UNSUPPORTED,
          "%s begins with 0x19, as what contracts and wallets understand does. That is not signed for a caller."
              .formatted(call.path(PAYLOAD)));
    }
    var identity = new Identity(name, context.node().name());
    if (NodeKeyNames.isTakenBy(identity)) {
      throw new RpcFailure(
          ErrorCode.NODE_OWN_KEY,
          "The key %s is kept for the node's own transactions. Sign with another.".formatted(name));
    }
    return context
        .signed(identity, call.get(PAYLOAD))
        .thenApply(
            made -> {
              var signature = made.toByteArray();
              signature[signature.length - 1] -= FIRST_RECOVERY;
              return Bytes.of(signature);
            });
  }
}
