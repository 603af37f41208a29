package dev.sequitur.node.signer;

import dev.sequitur.crypto.Secp256k1Signatures;
import dev.sequitur.protocol.digest.Digests;
import dev.sequitur.protocol.group.Verifier;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.port.Answers;
import dev.sequitur.protocol.port.Keys;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of a node, some of which a signer holds: those of the identities that the operator has
 * named. Other keys of these names are where they were, and sign for groups that know them. A
 * signature that comes is checked before it is used. Thread-safe.
 */
public final class RemoteKeys implements Keys, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteKeys.class);

  private final Keys here;
  private final Map<String, Verifier> identities;
  private final Web3Signer signer;
  private final Secp256k1Signatures signatures;
  private final Counter answers;
  private final AtomicBoolean looking = new AtomicBoolean();

  /** What the last answer was, if it was none. */
  private volatile Optional<String> trouble = Optional.empty();

  /**
   * Looks at once whether the signer has the keys, and waits for nothing.
   *
   * @param here all other keys
   * @throws dev.sequitur.links.tls.BadCertificate with a sentence that says what to do, if a
   *     certificate cannot be used
   */
  public RemoteKeys(
      Keys here,
      SignerSettings settings,
      Secp256k1Signatures signatures,
      PrometheusRegistry registry) {
    this.here = here;
    this.identities = settings.identities();
    this.signer = new Web3Signer(settings);
    this.signatures = signatures;
    this.answers =
        Counter.builder()
            .name("sequitur_signer_answers_total")
            .help("What the remote signer was asked to sign, by what came of it.")
            .labelNames("outcome")
            .register(registry);
    List.of(Outcome.values()).forEach(outcome -> answers.initLabelValues(outcome.label));
    look();
  }

  private enum Outcome {
    SIGNED("signed"),
    FAILED("failed");

    private final String label;

    Outcome(String label) {
      this.label = label;
    }
  }

  @Override
  public Verifier verifier(String name) {
    var key = identities.get(name);
    return key == null ? here.verifier(name) : key;
  }

  @Override
  public Verifier account(String name) {
    var key = identities.get(name);
    return key == null ? here.account(name) : key;
  }

  @Override
  public Standing standing(String name, Verifier key) {
    return isRemote(name, key) ? Standing.HELD : here.standing(name, key);
  }

  @Override
  public boolean areHere(String name) {
    return !identities.containsKey(name) && here.areHere(name);
  }

  private boolean isRemote(String name, Verifier key) {
    return key.equals(identities.get(name));
  }

  @Override
  public Bytes sign(String name, Hash digest) {
    return sign(name, verifier(name), digest);
  }

  @Override
  public Bytes sign(String name, Verifier key, Hash digest) {
    if (isRemote(name, key)) {
      throw new IllegalStateException(
          "The signer that has the key of " + name + " wants to know what it signs.");
    }
    return here.sign(name, key, digest);
  }

  @Override
  public CompletionStage<Bytes> signed(String name, Verifier key, Bytes message) {
    if (!isRemote(name, key)) {
      return here.signed(name, key, message);
    }
    return signer
        .sign(signatures.coordinates(key), message)
        .thenApply(answer -> checked(name, key, message, answer))
        .whenComplete((signature, failure) -> heard(Optional.ofNullable(failure)));
  }

  /** Whoever signs may write s and v in other ways than a contract of an EVM takes them. */
  private Bytes checked(String name, Verifier key, Bytes message, Bytes answer) {
    return Secp256k1Signatures.canonical(answer)
        .filter(signature -> signatures.verify(key, Digests.keccak256(message), signature))
        .orElseThrow(
            () ->
                new Web3Signer.NotSigned(
                    "The signer has answered with no signature of the key of " + name + "."));
  }

  private void heard(Optional<Throwable> failure) {
    answers.labelValues((failure.isEmpty() ? Outcome.SIGNED : Outcome.FAILED).label).inc();
    told(failure.map(it -> Answers.cause(it).getMessage()));
  }

  private void told(Optional<String> now) {
    var before = trouble;
    trouble = now;
    if (!now.equals(before)) {
      now.ifPresentOrElse(
          why -> LOG.warn("{} What it is to sign waits.", why),
          () -> LOG.info("The signer of identities answers."));
    }
  }

  /** Asks for its keys, unless it is being asked. */
  private void look() {
    if (looking.compareAndSet(false, true)) {
      var unused =
          signer
              .publicKeys()
              .thenAccept(known -> told(lacking(known)))
              .exceptionally(
                  failure -> {
                    told(Optional.of(Answers.cause(failure).getMessage()));
                    return null;
                  })
              .whenComplete((done, failure) -> looking.set(false));
    }
  }

  private Optional<String> lacking(Set<String> known) {
    var lacking =
        new TreeMap<>(identities)
            .entrySet().stream()
                .filter(one -> !known.contains(signatures.coordinates(one.getValue()).toHex()))
                .map(Map.Entry::getKey)
                .toList();
    return lacking.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "The signer does not have the key that signer.identities names for %s."
                .formatted(String.join(", ", lacking)));
  }

  /** What has gone wrong last; then it is also looked whether it is well again. */
  @Override
  public List<String> remarks() {
    var now = trouble;
    if (now.isPresent()) {
      look();
    }
    return now.stream().toList();
  }

  @Override
  public Bytes secret(String name, Hash digest) {
    return here.secret(name, digest);
  }

  @Override
  public Verifier origin() {
    return here.origin();
  }

  @Override
  public List<Placed> besideSeed() {
    return Stream.concat(
            new TreeMap<>(identities)
                .entrySet().stream()
                    .map(one -> new Placed(Place.SIGNER, one.getKey(), one.getValue())),
            here.besideSeed().stream())
        .toList();
  }

  @Override
  public void close() {
    signer.close();
  }
}
