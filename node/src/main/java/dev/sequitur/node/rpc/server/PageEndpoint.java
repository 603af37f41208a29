package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.AttributeKeys;
import akka.http.javadsl.model.ContentType;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpMethods;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.RawHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Supplier;

/**
 * The node's own page: files that are the same for everybody and hold nothing of the node. What the
 * page shows it asks for by JSON-RPC, as any caller does, so that nobody needs to be known here.
 * Only the files named here are served, whatever the path says. Thread-safe.
 */
final class PageEndpoint {
  static final String ROOT = "/page/";

  /** Nothing of any other host, no script in the text, and no frame around it. */
  static final String POLICY =
      "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; frame-ancestors 'none'";

  /** What is ours of it. */
  static final List<String> OWN =
      List.of(
          "index.html",
          "page.css",
          "icon.svg",
          "page.js",
          "account.js",
          "calls.js",
          "chart.js",
          "contract.js",
          "creating.js",
          "metrics.js",
          "node.js",
          "outcome.js",
          "overview.js",
          "parts.js",
          "ring.js",
          "rows.js",
          "schedule.js",
          "schedules.js",
          "sequence.js",
          "states.js",
          "steering.js",
          "timeline.js",
          "transaction.js",
          "transactions.js",
          "webhooks.js");

  private static final Map<String, ContentType> TYPES =
      Map.of(
          "html", ContentTypes.TEXT_HTML_UTF8,
          "css", ContentTypes.parse("text/css; charset=utf-8"),
          "js", ContentTypes.parse("text/javascript; charset=utf-8"),
          "svg", ContentTypes.parse("image/svg+xml"));

  private static final List<HttpHeader> HEADERS =
      List.of(
          RawHeader.create("Content-Security-Policy", POLICY),
          RawHeader.create("X-Content-Type-Options", "nosniff"),
          RawHeader.create("Referrer-Policy", "no-referrer"),
          RawHeader.create("Cross-Origin-Opener-Policy", "same-origin"),
          RawHeader.create("Cross-Origin-Resource-Policy", "same-origin"),
          // A browser keeps them and asks each time whether they are still the same.
          RawHeader.create("Cache-Control", "no-cache"));

  /**
   * A property of the JVM: the directory with the page's files, for whoever changes them. They are
   * read anew with each request.
   */
  private static final String DIRECTORY = "sequitur.page.directory";

  private final Map<String, Supplier<File>> files;

  private record File(ContentType type, byte[] content, String tag) {
    static File of(String path, byte[] content) {
      return new File(
          TYPES.get(path.substring(path.lastIndexOf('.') + 1)), content, '"' + hash(content) + '"');
    }
  }

  private PageEndpoint(Map<String, Supplier<File>> files) {
    this.files = Map.copyOf(files);
  }

  /** Reads the files, from the class path, unless the JVM names a directory for ours. */
  static PageEndpoint load() {
    return load(Optional.ofNullable(System.getProperty(DIRECTORY)).map(Path::of));
  }

  /**
   * @param changing where our files may change while they are served
   */
  static PageEndpoint load(Optional<Path> changing) {
    var files = new HashMap<String, Supplier<File>>();
    OWN.forEach(
        name ->
            files.put(
                ROOT + name,
                changing
                    .<Supplier<File>>map(folder -> () -> File.of(name, read(folder.resolve(name))))
                    .orElseGet(
                        () -> kept(File.of(name, resource("/dev/sequitur/node/page/" + name))))));
    files.put(ROOT, files.get(ROOT + "index.html"));
    for (var library : Library.values()) {
      files.put(ROOT + "lib/" + library.path, kept(File.of(library.path, library.read())));
    }
    return new PageEndpoint(files);
  }

  private static Supplier<File> kept(File file) {
    return () -> file;
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What others have written, with its version as its jar has it. */
  private enum Library {
    HTM("htm.js", "org.mvnpm/htm", "_static/htm/%s/preact/standalone.module.js"),
    CHART("uplot.js", "org.webjars.npm/uplot", "webjars/uplot/%s/dist/uPlot.esm.js"),
    CHART_STYLE("uplot.css", "org.webjars.npm/uplot", "webjars/uplot/%s/dist/uPlot.min.css");

    private final String path;
    private final String artifact;
    private final String resource;

    Library(String path, String artifact, String resource) {
      this.path = path;
      this.artifact = artifact;
      this.resource = resource;
    }

    private byte[] read() {
      return resource("/META-INF/resources/" + resource.formatted(version()));
    }

    private String version() {
      var properties = new Properties();
      var file = "/META-INF/maven/" + artifact + "/pom.properties";
      try (var in = PageEndpoint.class.getResourceAsStream(file)) {
        properties.load(in);
        return properties.getProperty("version");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static byte[] resource(String path) {
    try (InputStream in = PageEndpoint.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("The page lacks its file " + path + ".");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The answer; empty if the request asks for something else, which is then the caller's. */
  Optional<HttpResponse> answer(HttpRequest request) {
    if (!request.method().equals(HttpMethods.GET) && !request.method().equals(HttpMethods.HEAD)) {
      return Optional.empty();
    }
    var path = request.getUri().path();
    if (path.equals("/page") || (path.equals("/") && wantsText(request))) {
      return Optional.of(
          HttpResponse.create()
              .withStatus(StatusCodes.FOUND)
              // Relative to either address: a proxy may have put a prefix before it.
              .addHeader(RawHeader.create("Location", ROOT.substring(1))));
    }
    return Optional.ofNullable(files.get(path)).map(file -> file(request, file.get()));
  }

  /** Programs that look whether somebody answers at / hear of JSON-RPC; a browser wants a page. */
  private static boolean wantsText(HttpRequest request) {
    return value(request, "Accept").contains("text/html")
        && request.getAttribute(AttributeKeys.webSocketUpgrade).isEmpty();
  }

  private static HttpResponse file(HttpRequest request, File file) {
    var answer =
        HttpResponse.create().addHeaders(HEADERS).addHeader(RawHeader.create("ETag", file.tag));
    if (value(request, "If-None-Match").contains(file.tag)) {
      return answer.withStatus(StatusCodes.NOT_MODIFIED);
    }
    return answer.withEntity(HttpEntities.create(file.type, file.content));
  }

  private static String value(HttpRequest request, String header) {
    return request.getHeader(header).map(HttpHeader::value).orElse("");
  }
}
