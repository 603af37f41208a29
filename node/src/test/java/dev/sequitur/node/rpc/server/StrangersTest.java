package dev.sequitur.node.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import dev.sequitur.node.guard.AuditFiles;
import dev.sequitur.node.guard.AuditLog;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StrangersTest {
  private static final RpcFailure WRONG = new RpcFailure(ErrorCode.UNAUTHENTICATED, "It is wrong.");

  @TempDir Path directory;

  private final AtomicLong now = new AtomicLong(7);
  private final List<CompletableFuture<Void>> waits = new ArrayList<>();
  private AuditLog log;
  private Strangers strangers;

  @BeforeEach
  void begin() throws IOException {
    log = AuditLog.open(directory, 1 << 30, 0);
    strangers =
        new Strangers(
            new Audited(Optional.of(log), InstantSource.fixed(Instant.EPOCH), now::get),
            now::get,
            wait -> {
              var over = new CompletableFuture<Void>();
              waits.add(over);
              return over;
            });
  }

  @AfterEach
  void end() {
    log.close();
  }

  private CompletableFuture<HttpResponse> from(int network, RpcFailure failure) throws IOException {
    var request =
        HttpRequest.POST("/").addHeader(RawHeader.create("Authorization", "Bearer of-nobody"));
    var address =
        InetAddress.getByAddress(new byte[] {10, 0, (byte) (network >> 8), (byte) network});
    CompletionStage<HttpResponse> answer =
        strangers.answer(
            request, address, failure, HttpResponse.create().withStatus(StatusCodes.UNAUTHORIZED));
    return answer.toCompletableFuture();
  }

  private List<String> audit() throws IOException {
    log.close();
    return Files.readAllLines(new AuditFiles(directory).list().get(0)).stream()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }

  @Test
  void whoFailsAgainAndAgainIsAnsweredLateAndIsToldInTheAuditWithinABound() throws IOException {
    var answers = new ArrayList<CompletableFuture<HttpResponse>>();
    for (int i = 0; i < 30; i++) {
      answers.add(from(1, WRONG));
    }
    assertThat(answers.subList(0, 5)).allMatch(CompletableFuture::isDone);
    assertThat(answers.subList(5, 21)).noneMatch(CompletableFuture::isDone);
    assertThat(answers.subList(21, 30))
        .as("more would take the connections of others there")
        .allMatch(CompletableFuture::isDone);

    waits.get(0).complete(null);

    assertThat(answers.get(5)).isDone();
    assertThat(from(1, WRONG)).as("there is room for one more").isNotDone();
    waits.forEach(each -> each.complete(null));
    assertThat(answers).allMatch(each -> each.join().status().equals(StatusCodes.UNAUTHORIZED));
    assertThat(audit()).hasSize(20);
  }

  @Test
  void ofVeryManyNetworksTheFirstOnesAreWrittenDownAndThenOneAMinute() throws IOException {
    for (int network = 0; network < 300; network++) {
      from(network, WRONG);
    }
    now.addAndGet(Duration.ofMinutes(1).toNanos());
    for (int network = 1_000; network < 1_100; network++) {
      from(network, WRONG);
    }

    var lines = audit();
    assertThat(lines).hasSize(Audited.FAILED_LOGINS + 1);
    assertThat(lines.get(Audited.FAILED_LOGINS)).contains("\"refusedBeforeOfAll\":100");
  }

  @Test
  void whatTheNodeCannotTellIsNoFailedLogin() throws IOException {
    var own = new RpcFailure(ErrorCode.NO_ISSUER_KEYS, "There are none.");
    var answers = IntStream.range(0, 30).mapToObj(i -> unchecked(own)).toList();

    assertThat(answers)
        .allMatch(each -> each.getNow(null).status().equals(StatusCodes.SERVICE_UNAVAILABLE));
    assertThat(from(1, WRONG)).isDone();
    assertThat(audit()).hasSize(1);
  }

  private CompletableFuture<HttpResponse> unchecked(RpcFailure failure) {
    try {
      return from(1, failure);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
