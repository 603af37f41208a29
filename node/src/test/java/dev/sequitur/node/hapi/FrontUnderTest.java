package dev.sequitur.node.hapi;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import akka.http.javadsl.Http;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpEntity;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.headers.RawHeader;
import akka.stream.javadsl.Sink;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import com.typesafe.config.ConfigFactory;
import dev.sequitur.node.configuration.NodeConfiguration;
import dev.sequitur.node.process.ProcessStarter;
import dev.sequitur.node.process.RunningNode;
import dev.sequitur.protocol.id.Bytes;
import dev.sequitur.protocol.id.NodeName;
import dev.sequitur.schedule.Amount;
import dev.sequitur.schedule.multisignature.MultiSignature;
import dev.sequitur.schedule.multisignature.MultiSignatureSettings;
import dev.sequitur.schedule.signing.EntityId;
import dev.sequitur.schedule.signing.PublicKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A node with a front, and a caller that speaks gRPC without any client of Hedera. */
public final class FrontUnderTest implements AutoCloseable {
  static final long MONEY = 100_000_000_000L;
  private static final ContentType GRPC = ContentTypes.parse("application/grpc");
  static final EntityId OPERATOR = new EntityId(2);

  private final RunningNode node;
  private final ActorSystem<Void> system =
      ActorSystem.create(
          Behaviors.empty(), "caller", ConfigFactory.parseString("akka.loglevel = off"));

  /** What came back: a message, or a status with its sentence. */
  record Answered(String status, String sentence, Bytes message) {}

  FrontUnderTest(Path directory, PublicKey operator) {
    this(configured(directory, operator));
  }

  FrontUnderTest(NodeConfiguration configuration) {
    this(new ProcessStarter().startNode(configuration));
  }

  /** Of a node that runs already, and ends with this. */
  FrontUnderTest(RunningNode node) {
    this.node = node;
  }

  static NodeConfiguration configured(Path directory, PublicKey operator) {
    return configured(new NodeName("front"), directory, operator);
  }

  static NodeConfiguration configured(NodeName name, Path directory, PublicKey operator) {
    var embedded = NodeConfiguration.embedded(name, directory);
    var queues = embedded.scheduler().queues();
    var families = new ArrayList<>(queues.families());
    families.replaceAll(
        family ->
            family instanceof MultiSignature
                ? new MultiSignature(MultiSignatureSettings.CURRENT)
                : family);
    var front =
        HapiSettings.at("127.0.0.1", 0)
            .withOperator(
                Optional.of(new HapiSettings.Operator(OPERATOR, operator, new Amount(MONEY))))
            .withMirrorPort(OptionalInt.of(0));
    return embedded
        .withScheduler(embedded.scheduler().withQueues(queues.serving(families)))
        .withHapi(Optional.of(front));
  }

  int port() {
    return node.hapi().orElseThrow().port();
  }

  /** Of the mirror's view. */
  String mirror() {
    return "http://" + node.mirror().orElseThrow();
  }

  Answered call(String path, Bytes message) {
    return call(path, framed((byte) 0, message));
  }

  static ByteString framed(byte compressed, Bytes message) {
    var framed = ByteBuffer.allocate(5 + message.size());
    framed.put(compressed).putInt(message.size()).put(message.toByteArray());
    return ByteString.fromArray(framed.array());
  }

  Answered call(String path, ByteString body) {
    return call(request(path, body));
  }

  /** As who shows a token in the metadata. */
  Answered callAs(String token, String path, Bytes message) {
    var bearer = RawHeader.create("authorization", "Bearer " + token);
    return call(request(path, framed((byte) 0, message)).addHeader(bearer));
  }

  /** As who waits for so long, as gRPC writes it. */
  Answered callWithin(String timeout, String path, Bytes message) {
    var header = RawHeader.create("grpc-timeout", timeout);
    return call(request(path, framed((byte) 0, message)).addHeader(header));
  }

  /** The answer is read before the connection is let go. */
  private Answered call(HttpRequest request) {
    var flow = Http.get(system).connectionTo("127.0.0.1").toPort(port()).http2WithPriorKnowledge();
    return await(
        Source.single(request).via(flow).mapAsync(1, this::answered).runWith(Sink.head(), system));
  }

  private static HttpRequest request(String path, ByteString body) {
    return HttpRequest.POST(path).withEntity(HttpEntities.create(GRPC, body));
  }

  /** The messages that many calls at once are answered. */
  List<Bytes> callAtOnce(int times, String path, Bytes message) {
    var flow = Http.get(system).connectionTo("127.0.0.1").toPort(port()).http2WithPriorKnowledge();
    return await(
        Source.range(1, times)
            .map(each -> request(path, framed((byte) 0, message)))
            .via(flow)
            .mapAsync(times, response -> response.entity().toStrict(30_000, system))
            .map(strict -> Bytes.of(strict.getData().drop(5).toArray()))
            .runWith(Sink.seq(), system));
  }

  /** JSON-RPC's port, which has health and metrics, too. */
  String url() {
    return node.url();
  }

  /** A status is in the trailers behind a message, or where there is none among the headers. */
  private CompletionStage<Answered> answered(HttpResponse response) {
    var status = response.getHeader("grpc-status").map(HttpHeader::value);
    var sentence = response.getHeader("grpc-message").map(HttpHeader::value).orElse("");
    return response.entity() instanceof HttpEntity.Chunked chunked
        ? chunked
            .getChunks()
            .runWith(Sink.seq(), system)
            .thenApply(parts -> answered(parts, sentence))
        : CompletableFuture.completedFuture(
            new Answered(status.orElse("none"), sentence, Bytes.EMPTY));
  }

  private static Answered answered(List<HttpEntity.ChunkStreamPart> parts, String sentence) {
    var status = "none";
    var body = ByteString.emptyByteString();
    for (var part : parts) {
      body = body.concat(part.data());
      for (var header : part.isLastChunk() ? part.getTrailerHeaders() : List.<HttpHeader>of()) {
        status = header.name().equals("grpc-status") ? header.value() : status;
      }
    }
    return new Answered(status, sentence, Bytes.of(body.drop(Math.min(5, body.size())).toArray()));
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    system.terminate();
    node.close();
  }
}
