// Reads calls of Go with the language's own type checker, as the reference for scores: the folder of the packages is the
// argument, paths of files come on standard input. Prints JSON. Calls through variables, conversions and values that are
// made are listed as undecided, and so is everything in files that other systems build. Packages outside the folder are
// found in GOPATH.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

type target struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Line int    `json:"line"`
}

type call struct {
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Targets []target `json:"targets"`
}

var (
	root      string
	fset      = token.NewFileSet()
	calls     = []call{}
	undecided = []string{}
	word      = regexp.MustCompile(`\w+`)
)

func main() {
	root, _ = filepath.EvalSymlinks(os.Args[1])
	folders := map[string][]string{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		path := strings.TrimSpace(lines.Text())
		if strings.HasSuffix(path, ".go") {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], path)
		}
	}
	names := []string{}
	for folder := range folders {
		names = append(names, folder)
	}
	sort.Strings(names)
	config := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	for _, folder := range names {
		check(config, folder, folders[folder])
	}
	text, _ := json.Marshal(map[string]interface{}{"calls": calls, "imports": []string{}, "undecided": undecided})
	fmt.Println(string(text))
}

func check(config types.Config, folder string, paths []string) {
	built := map[string]bool{}
	found, err := build.Default.ImportDir(filepath.Join(root, folder), 0)
	if err == nil {
		for _, name := range found.GoFiles {
			built[filepath.Join(folder, name)] = true
		}
	}
	files := []*ast.File{}
	for _, path := range paths {
		file, err := parser.ParseFile(fset, filepath.Join(root, path), nil, 0)
		if err == nil && built[path] {
			files = append(files, file)
			continue
		}
		text, _ := os.ReadFile(filepath.Join(root, path))
		for i, line := range strings.Split(string(text), "\n") {
			for _, name := range word.FindAllString(line, -1) {
				undecided = append(undecided, fmt.Sprintf("%s:%d:%s", path, i+1, name))
			}
		}
	}
	info := &types.Info{
		Uses:  map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{},
	}
	config.Check(folder, fset, files, info)
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			switch each := node.(type) {
			case *ast.CallExpr:
				read(info, each)
			case *ast.CompositeLit:
				if name := last(each.Type); name != nil {
					leaveOut(name)
				}
			}
			return true
		})
	}
}

func read(info *types.Info, each *ast.CallExpr) {
	name := last(each.Fun)
	if name == nil {
		return
	}
	function, isFunction := info.Uses[name].(*types.Func)
	if !isFunction {
		leaveOut(name)
		return
	}
	path, line := place(function.Pos())
	if path == "" {
		return
	}
	from, at := place(name.Pos())
	calls = append(calls, call{from, at, []target{{path, function.Name(), line}}})
}

// The name that is called, without brackets and type arguments.
func last(expression ast.Expr) *ast.Ident {
	switch each := expression.(type) {
	case *ast.Ident:
		return each
	case *ast.SelectorExpr:
		return each.Sel
	case *ast.ParenExpr:
		return last(each.X)
	case *ast.IndexExpr:
		return last(each.X)
	case *ast.IndexListExpr:
		return last(each.X)
	case *ast.StarExpr:
		return last(each.X)
	}
	return nil
}

func leaveOut(name *ast.Ident) {
	path, line := place(name.Pos())
	undecided = append(undecided, fmt.Sprintf("%s:%d:%s", path, line, name.Name))
}

func place(position token.Pos) (string, int) {
	at := fset.Position(position)
	full, err := filepath.EvalSymlinks(at.Filename)
	if err != nil {
		return "", 0
	}
	path, err := filepath.Rel(root, full)
	if err != nil || strings.HasPrefix(path, "..") {
		return "", 0
	}
	return path, at.Line
}
